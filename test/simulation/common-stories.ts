import type { Declaration } from "./program";
import type { Step } from "./story";

/** A story that the simulation plays at each check, and the engine in `npm run test:deep`. */
export interface CommonStory {
  readonly title: string;
  readonly steps: readonly Step[];
  /** What each command of the story does. */
  readonly commands: readonly {
    readonly isOk: boolean;
    /** Writes to the service, such as `POST /api-keys`, without IDs and in the order of the alphabet. */
    readonly writes: readonly string[];
  }[];
}

const declare = (...resources: Declaration[]): Step[] =>
  resources.map((resource) => ({ do: "declare", resource }));

/** An environment that somebody made by hand, so that a story can name it by its ID. */
const STAGING: Step = {
  do: "make by hand",
  label: "staging",
  kind: "Environment",
  body: { name: "Staging" },
};
const inStaging = { environment: { object: "staging" } };

const adopted = (more: Declaration["args"] = {}): Declaration => ({
  name: "env",
  kind: "Environment",
  args: { name: "Staging", adopt: { id: { object: "staging" } }, ...more },
});

export const COMMON_STORIES: readonly CommonStory[] = [
  {
    title:
      "an environment is destroyed together with resources that name it by its ID",
    steps: [
      STAGING,
      ...declare(
        adopted(),
        {
          name: "pages",
          kind: "ApiKey",
          args: { name: "Pages", type: "public", ...inStaging },
        },
        {
          name: "hook",
          kind: "Webhook",
          args: { url: "https://hooks.example/a", ...inStaging },
        },
        {
          name: "rules",
          kind: "FilteringRuleSet",
          args: {
            rules: [{ name: "all", expression: "true", action: "deny" }],
            ...inStaging,
          },
        },
      ),
      { do: "up" },
      { do: "destroy" },
    ],
    commands: [
      {
        isOk: true,
        writes: [
          "POST /api-keys",
          "POST /filtering-rules/bulk",
          "POST /webhooks",
        ],
      },
      {
        isOk: true,
        writes: [
          "DELETE /api-keys/*",
          "DELETE /environments/*",
          "DELETE /webhooks/*",
          "POST /filtering-rules/bulk",
        ],
      },
    ],
  },
  {
    title:
      "an environment with a key that somebody made by hand stays, until deleteContents names the key",
    steps: [
      STAGING,
      ...declare(adopted()),
      { do: "up" },
      {
        do: "make by hand",
        label: "till",
        kind: "ApiKey",
        body: { name: "Till", type: "public", ...inStaging },
      },
      { do: "destroy" },
      { do: "edit by hand", object: "till", body: { status: "disabled" } },
      ...declare(adopted({ deleteContents: [{ object: "till" }] })),
      { do: "up" },
      { do: "destroy" },
    ],
    commands: [
      { isOk: true, writes: [] },
      { isOk: false, writes: [] },
      { isOk: true, writes: [] },
      { isOk: true, writes: ["DELETE /environments/*"] },
    ],
  },
];
