export const save = 1;
