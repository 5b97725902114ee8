export type { Event } from "./event";
export { eventsBetween } from "./events-between";
export { Moment } from "./moment";
export { originOf } from "./origin-of";
export { parameterSchema } from "./parameter-schema";
