import type { Client, FilteringRule } from "@devid/sdk";
import type { Workspace, WorkspaceRules } from "./workspace";

/** How far the reading of a workspace has come. */
export interface ReadProgress {
  /** What is read, in words: `API keys`. */
  readonly what: string;
  /** How many of them have come. */
  readonly count: number;
}

/** What can be asked of the reading of a workspace. */
export interface ReadOptions {
  /** Told after each object. */
  readonly onProgress?: (progress: ReadProgress) => void;
  readonly signal?: AbortSignal;
}

/**
 * Reads everything that a workspace holds, every page, through the client's
 * throttle. It makes list calls only, and drops every secret that they answer.
 * @throws Error when the workspace lists no environment
 */
export async function readWorkspace(
  client: Client,
  { onProgress, signal }: ReadOptions = {},
): Promise<Workspace> {
  const all = async <T>(what: string, items: AsyncIterable<T>) => {
    const found: T[] = [];
    for await (const item of items) {
      found.push(item);
      onProgress?.({ what, count: found.length });
    }
    return found;
  };
  const { region } = client.configuration;
  const environments = inOrder(
    await all("environments", client.environments.listAll({ signal })),
  );
  const defaultEnvironment = client.environments.defaultOf(environments);
  if (!defaultEnvironment)
    throw new Error(
      `The workspace in region ${region} lists no environment, though every workspace has one. Check with devid whoami which workspace the management key is for.`,
    );
  const apiKeys = await all("API keys", client.apiKeys.listAll({ signal }));
  const webhooks = await all("webhooks", client.webhooks.listAll({ signal }));
  const encryptionKeys = await all(
    "encryption keys",
    client.encryptionKeys.listAll({ signal }),
  );
  const rules = await client.filteringRules.list({ signal });
  onProgress?.({ what: "filtering rules", count: rules.length });
  return {
    region,
    environments,
    defaultEnvironment,
    apiKeys: inOrder(apiKeys).map(({ token, ...key }) => key),
    webhooks: inOrder(webhooks).map(
      ({ signingKey, basicAuth, ...webhook }) => webhook,
    ),
    encryptionKeys: inOrder(encryptionKeys).map(
      ({ token, previousToken, nextToken, ...key }) => key,
    ),
    ruleSets: ruleSets(rules, environments, defaultEnvironment.id),
  };
}

function ruleSets(
  rules: readonly FilteringRule[],
  environments: readonly { readonly id: string }[],
  defaultEnvironment: string,
): WorkspaceRules[] {
  return environments.flatMap(({ id }) => {
    const own = rules.filter(
      ({ environment }) => (environment ?? defaultEnvironment) === id,
    );
    return own.length === 0 ? [] : [{ environment: id, rules: own }];
  });
}

/** Oldest first, whatever order the service answers in. */
function inOrder<
  T extends { readonly id: string; readonly createdAt?: string | null },
>(records: readonly T[]): T[] {
  const place = ({ id, createdAt }: T) => `${createdAt ?? ""} ${id}`;
  return records.toSorted((a, b) => (place(a) < place(b) ? -1 : 1));
}
