import { expect, it } from "vitest";
import { GitOpsRepository } from "../helpers/gitops-repository";
import type { Form } from "../helpers/program-form";

/** One minute, in milliseconds. */
export const MINUTE = 60_000;

/** The repository of the story, its workspace and its pull requests. */
export let gitops: GitOpsRepository;

/** ID of a second environment, once there is one. */
export let staging: string;

/** The names of all situations of the story, in order. */
export const situations: string[] = [];

let form: Form = "dynamic";

/** Says in which form the program of the story is. Call it before the situations. */
export function startStory(ofProgram: Form): void {
  form = ofProgram;
}

/** Opens the repository, with the allowed requests of a day in its workspace. */
export async function openRepository(): Promise<void> {
  gitops = await GitOpsRepository.open(form);
  await gitops.workspace.control("/us/events", pastEvents());
}

/** Creates the second environment. */
export async function makeStaging(): Promise<void> {
  staging = await made("/environments", "id", { name: "Staging" });
}

/** Situations that depend on the form of the program, and situations that those build on. */
export const DEPENDS_ON_FORM = new Set([
  "A rule is added, removed, moved or edited",
  "The pull request is merged",
  "The program has other rules than the file",
  "A guard is loosened",
  "The rule file is renamed",
  "Two environments or stacks",
  "There are no past events of the environment",
  "A rule is added in the dashboard after the review",
  "A key is refused, or the service is not there",
  "A policy refuses the deployment",
  "A pull request is merged whose review failed",
  "The main branch is recovered",
  "The rule of the dashboard is taken into the file",
  "The change in the dashboard is overwritten by a recovery",
]);

/** A test for one row of the table of docs/review.md. */
export function situation(name: string, act: () => Promise<void> | void): void {
  situations.push(name);
  if (form === "dynamic" || DEPENDS_ON_FORM.has(name)) it(name, act);
}

/** The allowed requests of a day: our shop's requests, and a few from one network that takes over accounts. */
function pastEvents(): unknown[] {
  const now = Date.now();
  return Array.from({ length: 200 }, (_, i) => {
    const isTakeover = i % 100 === 7;
    return {
      event_id: `${i}.shop`.padStart(12, "0"),
      timestamp: now - (i + 1) * 5 * MINUTE,
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

/** An edit of a file. */
export type Edit = (text: string) => string;

/** The rule file with one more rule, placed before another rule. */
export const withRule = (
  name: string,
  network: string,
  before = "allow-our-shop",
) => {
  const edit: Edit = (text) =>
    text.replace(
      `  - name: ${before}\n`,
      `  - name: ${name}
  expression: http.request.ip in cidr('${network}')
  action: deny
$&`,
    );
  return { "rules.yaml": edit };
};

/** The rule file with a rule that denies no past request. */
export const withOffice = withRule(
  "block-office",
  "192.0.2.0/24",
  "block-crawlers",
);

/** The rule file with a rule that denies the network of the account takeovers, and a test for that rule. */
export const withTakeoverRule: Edit = (text) =>
  `${withRule("block-takeovers", "203.0.113.0/24")["rules.yaml"](text)}  - name: a network that takes accounts over is denied
  request:
    headers: { Origin: https://shop.example }
    ip: 203.0.113.9
    sdkPlatform: js
  expect: { deny: block-takeovers }
`;

/** The only comment on the pull request. */
export function comment(request = "7"): string {
  const own = gitops.host
    .on(request)
    .filter(({ body }) => body.startsWith("<!-- devid-review"));
  expect(own).toHaveLength(1);
  return own[0]?.body ?? "";
}

/** The rules in force in the default environment. */
export const rulesInForce = async () =>
  (await gitops.workspace.list("filtering-rules")).filter(
    ({ environment }) => environment !== staging,
  );

export const inForce = async () =>
  (await rulesInForce()).map(({ name }) => name);

/** The review without parts that depend on the day or the repository. */
export const timeless = (review: string) =>
  review
    .replace(
      /from [-\d]+ [:\d]+ to [-\d]+ [:\d]+ UTC/,
      "from 2026-01-01 08:00:00 to 2026-01-02 08:00:00 UTC",
    )
    .replace(/\bae_\w{16}/g, "ae_0123456789abcdef")
    .replace(/(?<=at |Commit `)[0-9a-f]{10}\b/g, "0123456789");

/** A rule that somebody adds in the dashboard. */
export const addInDashboard = (name: string, environment: string) =>
  gitops.workspace.call("POST", "/filtering-rules", {
    name,
    expression: "sdk.platform.is_android",
    action: "deny",
    status: "enabled",
    environment,
  });

/** Creates an object with the management API. Returns one of its fields. */
export async function made(path: string, member: string, body: unknown) {
  const object = await gitops.workspace.call("POST", path, body);
  return String((object as Record<string, unknown>)[member]);
}
