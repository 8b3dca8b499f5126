export class TimeoutError extends Error {}
