export const limits = { max: 429, min: 5;
function f( { return 1 }
