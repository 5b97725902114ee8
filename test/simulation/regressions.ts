import type { Wrong } from "./oracle/violation";
import { rowsOf } from "../helpers/cells-of";
import { stepsOf } from "./story-language";
import type { Step } from "./story";

/** A story that once had a violation and must not have it again, in either form. */
export interface Regression {
  readonly title: string;
  readonly steps: readonly Step[];
  /** Whether the trouble is tried at each effect in turn. */
  readonly isSwept: boolean;
  /** The violation that the story once had. */
  readonly was: Wrong;
}

/**
 * The stories, the shortest that show their fault: the title, the violation, and whether the
 * trouble is swept.
 */
const TABLE = `
an imported key is adopted under a second name, which is removed | declared object deleted
  make shop: ApiKey {name: Shop, type: public}
  import shop as a
  declare a: ApiKey {name: Shop, type: public}
  up
  declare b: ApiKey {name: Shop, type: public, adopt: {id: {object: shop}}}
  up
  remove b
  up
two imported objects are refreshed while the program runs | preview with a refresh fails
  make shop: ApiKey {name: Shop, type: public}
  make orders: Webhook {url: https://shop.example/a}
  import shop as a
  import orders as hook
  declare a: ApiKey {name: Shop, type: public}
  declare hook: Webhook {url: https://shop.example/a}
  preview {refresh: true, runProgram: true}
an environment is destroyed with its contents while a protected key is declared in it | declared object deleted
  make staging: Environment {name: Staging}
  declare env: Environment {name: Staging, deleteContents: [], adopt: {id: {object:
    staging}}}
  declare key: ApiKey {name: Shop, type: public, environment: {object: staging}} with
    {protect: true}
  up
  destroy {target: [env]}
a protected key is named in the deleteContents of its environment | declared object deleted
  make staging: Environment {name: Staging}
  declare key: ApiKey {name: Shop, type: public, environment: {object: staging}} with
    {protect: true}
  declare env: Environment {name: Staging, deleteContents: [{ref: key}], adopt: {id:
    {object: staging}}}
  up
  destroy {target: [env]}
the environment of an encryption key is left out later, and another one takes over the default key | preview after up fails
  declare env: Environment {name: Staging}
  declare a: EncryptionKey {environment: {ref: env}}
  up
  declare a: EncryptionKey {}
  declare b: EncryptionKey {}
two encryption keys of one environment are declared at once | preview after up fails
  declare a: EncryptionKey {status: enabled}
  declare b: EncryptionKey {status: enabled}
a key is to be deleted with its environment | object in no state
  declare env: Environment {name: Staging}
  declare key: ApiKey {name: Shop, type: public, environment: {ref: env}} with
    {deletedWith: env}
  up
  destroy
a key is to be deleted with its environment, in which another one is protected | object in no state
  declare env: Environment {name: Staging}
  declare key: ApiKey {name: Shop, type: public, environment: {ref: env}} with
    {deletedWith: env}
  declare kept: ApiKey {name: Kept, type: public, environment: {ref: env}} with
    {protect: true}
  up
  destroy
a change of the first rule's expression is ignored | ignored change sent
  declare rules: FilteringRuleSet {rules: [{name: all, expression: "true", action:
    deny}]} with {ignoreChanges: ["rules[0].expression"]}
  up
  declare rules: FilteringRuleSet {rules: [{name: all, expression: "false", action:
    deny}]} with {ignoreChanges: ["rules[0].expression"]}
  up
a change of the first rule's expression is ignored, and then that of all rules | ignored change sent
  declare rules: FilteringRuleSet {rules: [{name: all, expression: "false", action:
    deny}]}
  up
  declare rules: FilteringRuleSet {rules: [{name: all, expression: "true", action:
    deny}]} with {ignoreChanges: ["rules[0].expression"]}
  up
  declare rules: FilteringRuleSet {rules: [{name: all, expression: "true", action:
    deny}]} with {ignoreChanges: [rules]}
  up
an environment that a data source is asked for is renamed | not as declared
  declare a: Environment {name: Server}
  declare found: DataSource {source: getEnvironment, id: {ref: a}}
  declare b: ApiKey {name: Shop, type: public, description: {ref: found, field:
    name}}
  preview
  up
  declare a: Environment {name: Store}
  preview
  up {target: [b]}
a change of the first rule's expression is to replace the rule set | replacement left out
  declare rules: FilteringRuleSet {rules: [{name: all, expression: "true", action:
    deny}]}
  up
  declare rules: FilteringRuleSet {rules: [{name: all, expression: "false", action:
    deny}]} with {replaceOnChanges: ["rules[0].expression"]}
  up
a rule set is to be deleted before it is replaced | rules in force empty
  declare rules: FilteringRuleSet {rules: [{name: all, expression: "true", action:
    deny}]}
  up
  declare rules: FilteringRuleSet {rules: [{name: all, expression: "false", action:
    deny}], takeOver: true} with {replaceOnChanges: ["*"], deleteBeforeReplace: true}
  up
a rule set that is to be deleted first moves to another environment, and the update fails between | rules in force empty
  make staging: Environment {name: Staging}
  declare rules: FilteringRuleSet {rules: [{name: all, expression: "true", action:
    deny}]}
  declare a: ApiKey {name: Shop, type: public, adopt: {id: tok_nobody}}
  up
  declare rules: FilteringRuleSet {rules: [{name: all, expression: "true", action:
    deny}], environment: {object: staging}} with {deleteBeforeReplace: true}
  up
the answer to the creation of a secret key is lost | object in no state | swept
  declare key: ApiKey {name: Server, type: secret}
  up during {kind: fault, fault: reset done, at: 0, isForever: false}
an adopted key is renamed while the service does not list keys | declared object deleted | swept
  make shop: ApiKey {name: Shop, type: public}
  declare a: ApiKey {name: Shop, type: public, adopt: {id: {object: shop}}}
  up
  rename a to b
  up {continueOnError: true} during {kind: fault, fault: wrong body, at: 0,
    isForever: false}
an adopted key is renamed and changed, and the service does not change keys | object in no state | swept
  make shop: ApiKey {name: Shop, type: public}
  declare a: ApiKey {name: Shop, type: public, adopt: {id: {object: shop}}}
  up
  rename a to b
  declare b: ApiKey {name: Store, type: public, adopt: {id: {object: shop}}}
  up {continueOnError: true} during {kind: fault, fault: "500", at: 0, isForever:
    true}
an environment with rules and an encryption key is deleted before it is replaced | rules in force empty
  declare env: Environment {name: Staging} with {replaceOnChanges: [name],
    deleteBeforeReplace: true}
  declare enc: EncryptionKey {status: enabled, environment: {ref: env}}
  declare rules: FilteringRuleSet {rules: [{name: all, expression: "true", action:
    deny}], environment: {ref: env}}
  up
  declare env: Environment {name: Testing} with {replaceOnChanges: [name],
    deleteBeforeReplace: true}
  declare enc: EncryptionKey {status: enabled, environment: {ref: env}}
  declare rules: FilteringRuleSet {rules: [{name: all, expression: "true", action:
    deny}], environment: {ref: env}}
  up
a destroy with a refresh follows after somebody switched an encryption key | foreign object changed
  declare enc: EncryptionKey {status: enabled}
  up
  edit enc {status: disabled}
  edit enc {status: enabled}
  destroy {refresh: true}
another webhook has the same secret address | secret printed
  declare key: ApiKey {name: Shop, type: public}
  up
  make twin: Webhook {url: https://hooks.example/T0ps3cretPath}
  declare hook: Webhook {url: {secret: https://hooks.example/T0ps3cretPath}}
  up
a secret key is renamed without an alias, and adopts itself | secret key that nobody holds
  declare a: ApiKey {name: Server, type: secret}
  up
  declare a: ApiKey {name: Server, type: secret, adopt: {id: {object: a}}}
  rename a to b
  up
an encryption key that names no environment any more stands beside a new one of the default environment | preview after up fails
  declare env: Environment {name: Staging}
  declare sealing: EncryptionKey {environment: {ref: env}, name: Results}
  up
  declare sealing: EncryptionKey {}
  declare sealing2: EncryptionKey {}
  up
the program of a destroy retains an object | object in no state
  declare a: ApiKey {name: Shop, type: public}
  up
  declare a: ApiKey {name: Shop, type: public} with {retainOnDelete: true}
  destroy {runProgram: true}
a resource is renamed with an alias in a preview that refreshes | preview with a refresh fails
  declare a: ApiKey {name: Shop, type: public}
  up
  declare env: Environment {name: Staging}
  rename a to b with an alias
  preview {refresh: true, runProgram: true}
`;

/** The stories of the table. */
export const REGRESSIONS: readonly Regression[] = rowsOf(TABLE).map(
  ([line = "", ...steps]): Regression => {
    const [title = "", was = "", swept] = line.split(" | ");
    return {
      ...{ title, was: was as Wrong, isSwept: swept === "swept" },
      steps: stepsOf(steps.join("\n")),
    };
  },
);
