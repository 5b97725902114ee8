import type { TitleOf } from "./pair-environments";
import type { Selection } from "../read/selection";

/** An object as far as it is compared. */
export interface ComparedObject {
  /** What it is, in words: `API key`. */
  readonly what: string;
  /** What tells it from others of its kind: objects of one name may be the same. */
  readonly name: string;
  /** What its environment is called; absent for one of the whole workspace. */
  readonly environment?: string;
  readonly fields: Readonly<
    Record<string, string | number | boolean | undefined>
  >;
}

/**
 * Everything that is compared but rules. The default environment itself is not,
 * for nobody can declare it.
 */
export function comparedObjects(
  { workspace, environments }: Selection,
  titleOf: TitleOf,
): ComparedObject[] {
  return [
    ...environments.map((found) => ({
      what: "environment",
      name: titleOf(found.id) ?? found.name,
      fields: {
        description: found.description ?? undefined,
        limitMode: found.limitMode ?? "none",
        limitValue:
          (found.limitMode ?? "none") === "none"
            ? undefined
            : (found.limitValue ?? undefined),
      },
    })),
    ...workspace.apiKeys.map((key) => ({
      what: "API key",
      name: key.name,
      environment: titleOf(key.environment),
      fields: {
        type: key.type,
        description: key.description ?? undefined,
        status: key.status,
        rateLimit: key.rateLimit ?? undefined,
      },
    })),
    ...workspace.webhooks.map((webhook) => ({
      what: webhook.legacy ? "legacy webhook" : "webhook",
      name: webhook.url,
      environment: titleOf(webhook.environment),
      fields: {
        description: webhook.description ?? undefined,
        status: webhook.status,
        verified: webhook.verified ?? false,
      },
    })),
    ...workspace.encryptionKeys.map((key) => {
      const environment = titleOf(
        key.environment ?? workspace.defaultEnvironment.id,
      );
      return {
        what: "encryption key",
        name: `of ${environment}`,
        fields: {
          name: key.name ?? undefined,
          description: key.description ?? undefined,
          status: key.status,
        },
      };
    }),
  ];
}
