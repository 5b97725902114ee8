import { stepsOf } from "./story-language";
import type { Step } from "./story";

/** A story that the simulation plays at each check, and the engine in `npm run test:deep`. */
export interface CommonStory {
  readonly title: string;
  readonly steps: readonly Step[];
  /**
   * What each command of the story does: whether it is ok, and its writes to the service,
   * such as `POST /api-keys`, without IDs and in the order of the alphabet.
   */
  readonly commands: readonly string[];
}

export const COMMON_STORIES: readonly CommonStory[] = [
  {
    title:
      "an environment is destroyed together with resources that name it by its ID",
    steps: stepsOf(
      `make staging: Environment {name: Staging}
       declare env: Environment {name: Staging, adopt: {id: {object: staging}}}
       declare pages: ApiKey {name: Pages, type: public, environment: {object: staging}}
       declare hook: Webhook {url: https://hooks.example/a, environment: {object:
         staging}}
       declare rules: FilteringRuleSet {rules: [{name: all, expression: "true", action:
         deny}], environment: {object: staging}}
       up
       destroy`,
    ),
    commands: [
      "ok, POST /api-keys, POST /filtering-rules/bulk, POST /webhooks",
      "ok, DELETE /api-keys/*, DELETE /environments/*, DELETE /webhooks/*, POST /filtering-rules/bulk",
    ],
  },
  {
    title:
      "an environment with a key that somebody made by hand stays, until deleteContents names the key",
    steps: stepsOf(
      `make staging: Environment {name: Staging}
       declare env: Environment {name: Staging, adopt: {id: {object: staging}}}
       up
       make till: ApiKey {name: Till, type: public, environment: {object: staging}}
       destroy
       edit till {status: disabled}
       declare env: Environment {name: Staging, adopt: {id: {object: staging}},
         deleteContents: [{object: till}]}
       up
       destroy`,
    ),
    commands: ["ok", "fails", "ok", "ok, DELETE /environments/*"],
  },
];
