/** What an event ID looks like (docs/assumptions.md, A111). */
export const EVENT_ID = /^[\w.-]{1,64}$/;
