// The definitions of the kinds for other packages: schemas with marks, and the
// lifecycle's functions for inputs, answers and states. Loads no package of Pulumi.
export * as registry from "./registry";
export { medium, type Effect, type Effects } from "./definition/effects";
export type { ResourceDefinition } from "./definition/define-resource";
export { nameOfUrn, pluginType, typeOfUrn } from "./definition/engine-names";
export { mapParts, type Values } from "./definition/value";
export { fieldMeta, fieldsMarked } from "./definition/field";
export { withoutSecrets } from "./definition/schema-secrets";
export { checkInputs, newValues } from "./lifecycle/check-inputs";
export { defaultOf, readState, stateOf, toState } from "./lifecycle/state";
export { refusesList } from "./session/answers";
export type { Overrides } from "./session/resource-settings";
export { changedFields, fieldValue } from "./lifecycle/difference";
export { identityOf } from "./lifecycle/match";
