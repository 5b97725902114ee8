import { snakeKeys } from "../../sdk/src/wire/casing";
import { KINDS, LEAST_INPUTS } from "../provider/kind-rows";
import { COLLECTIONS } from "../simulation/kinds";
import type { LocalWorkspace } from "./local-workspace";

/** Names that are hard to turn into file names, identifiers and literals. */
export const AWKWARD_NAMES = [
  "Shop browser",
  "Shop browser",
  "shop-BROWSER",
  `It's "quoted"`,
  "back\\slash `tick` ${dollar}",
  "class",
  "default",
  "found",
  "Ключ магазина",
  "お店のキー",
  "مفتاح المتجر",
  "🛒🛒🛒",
  "👩‍👩‍👧 Family",
  "3D shop",
  "two\nlines",
  "hidden\u202eright-to-left",
  "-- !! --",
  "A name that goes on and on until it is certainly wider than any line may be, and then some more",
] as const;

type Region = "us" | "eu" | "ap";
type Json = Record<string, unknown>;

/** Rules with texts that are hard to write in YAML and TypeScript. */
export const AWKWARD_RULES: readonly Json[] = [
  {
    name: "yes",
    expression: "http.user_agent.is_crawler_bot",
    action: "deny",
  },
  {
    name: `"quoted": 'name' # no comment`,
    expression: `!sdk.platform.is_browser && http.request.headers["Origin"][0] == "https://shop.example"`,
    action: "allow",
  },
  {
    name: "🛡️ two lines",
    expression: `sdk.platform.is_android\n  || sdk.platform.is_ios\n`,
    action: "deny",
    status: "disabled",
  },
  {
    name: "- a dash",
    expression: `http.request.headers["Origin"][0] == "a: b # c"`,
    action: "deny",
  },
];

/**
 * Fills a workspace with objects of every kind, all with awkward names, in the
 * default environment and in others. It calls the API, as a dashboard would.
 */
export async function fillAwkwardly(
  workspace: LocalWorkspace,
  region: Region = "us",
): Promise<void> {
  const post = (path: string, body: Json) => workspace.make(path, body, region);
  const environments: (string | undefined)[] = [
    undefined,
    workspace.service.workspaces[region].environment,
  ];
  for (const [index, name] of AWKWARD_NAMES.entries()) {
    const limit = index % 2 ? {} : { limit_mode: "notify", limit_value: 1000 };
    const { id } = await post("/environments", {
      name,
      description: `About ${name}`,
      ...limit,
    });
    environments.push(id);
    // Lists have objects of one millisecond in the order of their IDs, which are random.
    await workspace.advance("1s");
  }
  const types = ["public", "secret", "proxy"];
  for (const [index, name] of AWKWARD_NAMES.entries()) {
    const environment = environments[(index * 7) % environments.length];
    const type = types[index % types.length];
    const key = await post("/api-keys", { name, type, environment });
    const change =
      index % 4 === 1
        ? { status: "disabled" }
        : { rate_limit: index % 5 ? 2.5 : 1e21, description: `"${name}"` };
    await workspace.call("PATCH", `/api-keys/${key.id}`, change, region);
    await post("/webhooks", {
      url: `https://hooks.shop.example/${encodeURIComponent(name.slice(0, 20))}`,
      description: name,
      environment: environments[index % environments.length],
      status: index % 3 ? "enabled" : "disabled",
    });
  }
  const own = ["Environment", "ApiKey", "Webhook", "EncryptionKey"];
  for (const kind of KINDS.filter((kind) => !own.includes(kind)))
    for (const name of COLLECTIONS[kind] ? AWKWARD_NAMES : []) {
      const least = LEAST_INPUTS[kind];
      const named = "name" in least ? { ...least, name } : least;
      await post(`/${COLLECTIONS[kind]}`, snakeKeys(named));
    }
  const keys = await workspace.list("encryption-keys", region);
  for (const [index, { id }] of keys.entries())
    if (index % 2)
      await workspace[region]("PATCH", `/encryption-keys/${String(id)}`, {
        body: {
          name: AWKWARD_NAMES[index % AWKWARD_NAMES.length],
          status: "enabled",
        },
      });
  for (const environment of environments.slice(1, 6))
    await workspace.enforce(AWKWARD_RULES, environment, region);
}
