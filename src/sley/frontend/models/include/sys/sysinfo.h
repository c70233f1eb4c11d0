#ifndef SLEY_SYS_SYSINFO_H
#define SLEY_SYS_SYSINFO_H

int get_nprocs(void);
int get_nprocs_conf(void);

#endif
