// sley: reach=true race=true deadlock=true memory=false overflow=true
// The fourth element of the first row is inside the matrix, but not inside the row (C11 J.2, 6.5.6p8).
int main(void)
{
    int matrix[2][3] = {{1, 2, 3}, {4, 5, 6}};
    volatile int column = 3;
    return matrix[0][column] == 4;
}
