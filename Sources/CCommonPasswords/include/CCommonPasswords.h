#ifndef CCOMMONPASSWORDS_H
#define CCOMMONPASSWORDS_H

// Two lists of what people choose most often, as read-only data: entries in bytewise order, without duplicates, lower case,
// one after the other without separators. Entry i is bytes offsets[i] ..< offsets[i + 1]; there are count + 1 offsets.
// Both files are made by scripts/make-common-passwords; licence in LICENSE-zxcvbn.txt.

// The 30,000 common passwords of zxcvbn 4.5.0.
extern const unsigned char ccp_passwords[];
extern const unsigned int ccp_password_offsets[];
extern const unsigned int ccp_password_count;

// Common PINs: the digits-only entries of the passwords from four digits on, and of 4 to 8 digits:
//   one digit repeated (0000); runs with a step of one or two, up or down, 0 after 9 (1234, 8901, 4321, 2468);
//   years 1900 to 2099; a pair repeated (1212, 121212, 12121212), three digits twice (123123);
//   two digits, each repeated (1122, 111222, 11112222); four-digit palindromes (1221);
//   runs doubled (112233, 11223344) or mirrored (123321, 12344321);
//   keypad lines: two rows, columns or diagonals in either direction (147258), 2580, squares (1254, 1397);
//   each four-digit one of these twice (20002000).
extern const unsigned char ccp_pins[];
extern const unsigned int ccp_pin_offsets[];
extern const unsigned int ccp_pin_count;

// Swift imports no array of unknown size: the same lists as pointers.
static inline const unsigned char *_Nonnull ccp_password_bytes(void) { return ccp_passwords; }
static inline const unsigned int *_Nonnull ccp_password_starts(void) { return ccp_password_offsets; }
static inline const unsigned char *_Nonnull ccp_pin_bytes(void) { return ccp_pins; }
static inline const unsigned int *_Nonnull ccp_pin_starts(void) { return ccp_pin_offsets; }

#endif
