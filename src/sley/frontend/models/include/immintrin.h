#ifndef SLEY_IMMINTRIN_H
#define SLEY_IMMINTRIN_H

void _mm_mfence(void);
void _mm_lfence(void);
void _mm_sfence(void);
void _mm_pause(void);

#endif
