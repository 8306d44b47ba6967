/** The host cannot be reached now: what was asked for is sent again later. */
export class Unreachable extends Error {}
