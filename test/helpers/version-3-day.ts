/**
 * A day on which version 3 is served. The service switches version 3 off on 2027-01-07
 * by its clock. Tests of version 3 set the clock, so that they pass on any date.
 */
export const VERSION_3_DAY = "2026-12-01T00:00:00Z";
