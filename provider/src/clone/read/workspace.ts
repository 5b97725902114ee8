import type {
  ApiKey,
  EncryptionKey,
  Environment,
  FilteringRule,
  Region,
  Webhook,
} from "@devid/sdk";

/** The rules of one environment, in force order; an environment without rules has none of these. */
export interface WorkspaceRules {
  /** ID of the environment. */
  readonly environment: string;
  readonly rules: readonly FilteringRule[];
}

/**
 * What a workspace holds, or a part of it: everything but secrets. Each list is
 * in order of creation, oldest first, then of IDs.
 */
export interface Workspace {
  readonly region: Region;
  /** All environments, also in a part of a workspace: others refer to them. */
  readonly environments: readonly Environment[];
  /** The environment that every workspace has and none can make. */
  readonly defaultEnvironment: Environment;
  readonly apiKeys: readonly Omit<ApiKey, "token">[];
  readonly webhooks: readonly Omit<Webhook, "signingKey" | "basicAuth">[];
  readonly encryptionKeys: readonly Omit<
    EncryptionKey,
    "token" | "previousToken" | "nextToken"
  >[];
  readonly ruleSets: readonly WorkspaceRules[];
}

/** An API key without its token. */
export type WorkspaceApiKey = Workspace["apiKeys"][number];

/** A webhook without its secrets. */
export type WorkspaceWebhook = Workspace["webhooks"][number];

/** An encryption key without its tokens. */
export type WorkspaceEncryptionKey = Workspace["encryptionKeys"][number];
