/** The functions to define a policy of your own: `@devid/policy/define`. */
export { kindOfType, STACK_TYPE, UNKNOWN_TEXT } from "@devid/pulumi/state";
export type { DeclaredResource } from "./declared-resource";
export { rulesOf } from "./declared-rules";
export {
  definePolicy,
  type PolicyDefinition,
  type Report,
  type StackResource,
} from "./define-policy";
export {
  clientOf,
  eventsOf,
  reputationOf,
  WhenUnreachable,
} from "./service-access";
