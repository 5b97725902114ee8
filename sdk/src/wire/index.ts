/**
 * The wire schemas of the management API, and the functions that all wire schemas
 * share. The local service and the provider use them.
 */
export { camelKeys, type CamelKeys } from "./casing";
export * from "./error-body";
export * from "./error-codes";
export * from "./management";
export * from "./operations";
export { issueMessage } from "./open-enum";
export {
  describeNumbers,
  Moment,
  oneOf,
  parameterSchema,
} from "./search-parameter";
