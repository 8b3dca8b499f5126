export const fatal = 1;
