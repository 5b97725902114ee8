import type { GitOpsRepository } from "../helpers/gitops-repository";

const MINUTE_MS = 60_000;

/** The allowed requests of a day: our shop's, and two from a network that takes over accounts. */
export function pastEvents(): unknown[] {
  const now = Date.now();
  return Array.from({ length: 200 }, (_, i) => {
    const isTakeover = i % 100 === 7;
    return {
      event_id: `${i}.shop`.padStart(12, "0"),
      timestamp: now - (i + 1) * 5 * MINUTE_MS,
      url: "https://shop.example/login",
      origin: "https://shop.example",
      user_agent:
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
      ip_address: isTakeover ? "203.0.113.9" : "198.51.100.4",
      linked_id: isTakeover ? "account-1" : `customer-${i % 20}`,
      suspect_score: isTakeover ? 21 : 2,
      bot: isTakeover ? "bad" : "not_detected",
      sdk: { platform: "js", version: "4.0.0" },
    };
  });
}

/** An edit of the rule file that adds a rule before another one. */
export const withRule =
  (name: string, network: string, before = "allow-our-shop") =>
  (text: string): string =>
    text.replace(
      `  - name: ${before}\n`,
      `  - name: ${name}
    expression: http.request.ip in cidr('${network}')
    action: deny
$&`,
    );

/** An edit that adds a rule against the network of the takeovers, and its test. */
export const withTakeoverRule = (text: string): string =>
  `${withRule("block-takeovers", "203.0.113.0/24")(text)}  - name: a network that takes accounts over is denied
    request:
      headers: { Origin: https://shop.example }
      ip: 203.0.113.9
      sdkPlatform: js
    expect: { deny: block-takeovers }
`;

/** The rules in force in the default environment. */
export const rulesInForce = ({ workspace }: GitOpsRepository) =>
  workspace.list("filtering-rules");

/** Their names, in order. */
export const inForce = async (gitops: GitOpsRepository) =>
  (await rulesInForce(gitops)).map(({ name }) => name);

/** Adds a rule as somebody does in the dashboard. */
export const addInDashboard = async (gitops: GitOpsRepository, name: string) =>
  gitops.workspace.call("POST", "/filtering-rules", {
    ...{ name, expression: "sdk.platform.is_android", action: "deny" },
    ...{ status: "enabled" },
    environment: gitops.workspace.service.workspaces.us.environment,
  });
