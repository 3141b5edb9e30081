#ifndef CLIBSYSTEMD_SHIM_H
#define CLIBSYSTEMD_SHIM_H

#include <systemd/sd-bus.h>
#include <systemd/sd-login.h>

#endif
