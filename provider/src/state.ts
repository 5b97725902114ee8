// Functions for other packages that read our resources in a state, in a preview, or in
// the service. Loads no package of Pulumi.
export {
  ARGUMENT_PREFIX,
  containsSecretText,
  containsUnknownText,
  kindOfType,
  nameOfUrn,
  SECRET_TEXT,
  splitProvider,
  STACK_PREFIX,
  STACK_TYPE,
  typeOfUrn,
  UNKNOWN_TEXT,
} from "./definition/engine-names";
export { isDefaultProvider, pluginSettings } from "./adapters/plugin-settings";
export {
  environmentNamed,
  noDefaultEnvironment,
} from "./session/environment-choice";
export { connect, settingSources } from "./definition/setting-sources";
export {
  FailedPreviewError,
  isPreview,
  previewedStack,
  readPreview,
  UnreadablePreviewError,
  type Operation,
  type Preview,
  type PreviewedResource,
  type PreviewedState,
} from "./preview/read-preview";
export {
  connectPreviewed,
  ownerOf,
  providerOf,
  settingsOfProvider,
} from "./preview/previewed-provider";
export { everyItem } from "./session/answers";
export {
  overridesInText,
  unusedOverrides,
} from "./definition/unused-overrides";
export { secretSettings } from "./definition/configuration";
export {
  fromRuleSetState,
  RULE_SET,
  RuleSetState,
} from "./resources/filtering-rule-set/rule-set-state";
export { readRulesInForce } from "./resources/filtering-rule-set/rules-in-force";
