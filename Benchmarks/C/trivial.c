// The least that a command costs: start, print a line, end.
#include <stdio.h>

int main(void) { return puts("trivial") < 0; }
