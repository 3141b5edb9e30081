#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static const int guarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
enum { guarded_count = sizeof guarded / sizeof *guarded };

// Written before the handlers are installed and read by them: everything that a handler needs to put the terminal back.
static struct {
  volatile sig_atomic_t active;
  volatile sig_atomic_t resumptions;
  int fd, paste, screen;
  struct termios original, raw;
  struct sigaction previous[guarded_count];
} guard;

int clinux_terminal_columns(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

int clinux_terminal_rows(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

int clinux_pseudo_terminal(char *name, size_t count) {
  int fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return -errno;
  if (grantpt(fd) == 0 && unlockpt(fd) == 0 && ptsname_r(fd, name, count) == 0) return fd;
  int error = errno;
  close(fd);
  return -error;
}

static void say(const char *text) {
  if (write(guard.fd, text, strlen(text)) < 0) return;
}

static void ask_for_modes(int on) {
  if (guard.paste) say(on ? "\033[?2004h" : "\033[?2004l");
  if (guard.screen) say(on ? "\033[?1049h" : "\033[?1049l");
}

static void on_signal(int number);

static void install(int index) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  // Without SA_RESTART: a read that a stop interrupted comes back, so that its prompt can be shown again.
  action.sa_handler = on_signal;
  sigfillset(&action.sa_mask);
  sigaction(guarded[index], &action, NULL);
}

// Only async-signal-safe calls: tcsetattr, write, sigaction, raise, pthread_sigmask.
static void on_signal(int number) {
  int saved = errno, index = 0;
  while (index < guarded_count - 1 && guarded[index] != number) index++;
  if (guard.active) {
    ask_for_modes(0);
    tcsetattr(guard.fd, TCSANOW, &guard.original);
    say("\n");
  }
  sigaction(number, &guard.previous[index], NULL);
  sigset_t only, before;
  sigemptyset(&only);
  sigaddset(&only, number);
  raise(number);
  // The signal takes effect here: the process ends, or stops until it is continued.
  pthread_sigmask(SIG_UNBLOCK, &only, &before);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (guard.active) {
    install(index);
    tcsetattr(guard.fd, TCSANOW, &guard.raw);
    ask_for_modes(1);
    guard.resumptions++;
  }
  errno = saved;
}

static void make_raw(struct termios *mode) {
  mode->c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | ISIG | IEXTEN);
  mode->c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR | IXON | ISTRIP | BRKINT | PARMRK);
  mode->c_cc[VMIN] = 1;
  mode->c_cc[VTIME] = 0;
}

int clinux_terminal_enter(int fd, int paste, int screen) {
  if (guard.active) return -EBUSY;
  if (tcgetattr(fd, &guard.original) != 0) return -errno;
  guard.raw = guard.original;
  make_raw(&guard.raw);
  guard.fd = fd;
  guard.paste = paste;
  guard.screen = screen;
  guard.active = 1;
  for (int i = 0; i < guarded_count; i++) {
    sigaction(guarded[i], NULL, &guard.previous[i]);
    if (guard.previous[i].sa_handler != SIG_IGN) install(i);
  }
  if (tcsetattr(fd, TCSADRAIN, &guard.raw) != 0) {
    int error = errno;
    clinux_terminal_leave(0);
    return -error;
  }
  ask_for_modes(1);
  return 0;
}

void clinux_terminal_leave(int discard) {
  if (!guard.active) return;
  ask_for_modes(0);
  tcsetattr(guard.fd, discard ? TCSAFLUSH : TCSADRAIN, &guard.original);
  guard.active = 0;
  for (int i = 0; i < guarded_count; i++) sigaction(guarded[i], &guard.previous[i], NULL);
}

unsigned clinux_terminal_resumptions(void) { return (unsigned)guard.resumptions; }

void clinux_suspend(void) { kill(0, SIGTSTP); }
