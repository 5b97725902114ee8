export type { Event } from "./event";
export { eventAsRuleRequest } from "./event-as-rule-request";
export { eventsBetween } from "./events-between";
export { originOf } from "./origin-of";
export { parameterSchema } from "./parameter-schema";
