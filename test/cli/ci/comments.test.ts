import dns from "node:dns";
import { createServer } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { CodeHost } from "../../../cli/src/ci/code-host";
import { codeHost } from "../../../cli/src/ci/find-code-host";
import {
  COMMENT_LIMIT,
  cutToFit,
  forOpenRequests,
  isReviewed,
  markOutdated,
  ownComment,
  putComment,
} from "../../../cli/src/ci/comments";
import { keepDriftIssue } from "../../../cli/src/ci/drift";
import { recordIn, recordLine } from "../../../cli/src/ci/plan-record";
import type { Subject } from "../../../cli/src/ci/subject";
import { FakeCodeHost } from "../../helpers/fake-code-host";
import { listen } from "../../helpers/listen";
import { openForTests } from "../../helpers/open-for-tests";
import { json, plainServer, serverForTest } from "../../sdk/http/plain-server";
import { proxyServer } from "../../sdk/http/proxy-server";
import {
  ANA,
  GITHUB,
  GITLAB,
  type HostCase,
  HOSTS,
  onHost,
  TOKENS,
} from "../../helpers/host-cases";

const COMMIT = "c0ffee".padEnd(40, "0");
const MARKER = "<!-- devid-review:rules.yaml:stack=prod -->";
const REVIEW = `${MARKER}\n### Review of \`rules.yaml\`\n`;
const SUBJECT: Subject = {
  ...{ path: "rules.yaml", file: "rules.yaml", stack: "prod" },
  planPath: "reviewed-plan.json",
};

const fake = openForTests(new FakeCodeHost(TOKENS));
afterEach(() => fake.clear());

describe.each(HOSTS)("on $name", (on) => {
  const hostWith = (other: Record<string, string> = {}) =>
    codeHost(
      {},
      onHost(on, fake.url, {
        ...{ GITHUB_SHA: COMMIT, CI_COMMIT_SHA: COMMIT },
        ...{ GITHUB_REF_NAME: "main", ...other },
      }),
    );

  it("a comment of this account with the same marker is edited, also on a later page", async () => {
    for (let i = 0; i < 230; i += 1) fake.add("7", ANA, "LGTM");
    const theirs = fake.add("7", ANA, REVIEW);
    const quoted = fake.add("7", on.author, `> quoted\n${REVIEW}`);
    const own = fake.add("7", on.author, `${MARKER}\r\nOlder`);
    const host = hostWith();
    expect(await putComment(host, "7", REVIEW)).toBe("The comment was edited.");
    expect(own.body).toBe(REVIEW);
    expect([theirs.body, quoted.body]).toEqual([REVIEW, `> quoted\n${REVIEW}`]);
    const other = REVIEW.replace("prod", "test");
    expect(await putComment(host, "7", other)).toBe("The comment was made.");
    expect(fake.comments).toHaveLength(234);
  });

  it.each(["", "<html>Log in</html>", "[]", "null", '{"login":"/sso"}'])(
    "a success that is not the host's own is no comment: %j",
    async (page) => {
      const proxy = await plainServer((_, response) => response.end(page));
      const host = codeHost({}, onHost(on, proxy.url));
      for (const call of [
        () => host.addComment({ request: "7" }, REVIEW),
        () => host.editComment("7", 1, REVIEW),
        () => host.openIssue("Drift", REVIEW),
      ]) {
        const failure = await call().catch((error: unknown) => error);
        const { method = "", path = "" } = proxy.received.at(-1) ?? {};
        expect(failure).toSay("ci/not-the-host", { method, path });
      }
      await proxy.close();
    },
  );

  it("a redirect to another host is not given the token, and no write follows it", async () => {
    const other = await serverForTest((_, response) => json(response, 200, []));
    const moved = await serverForTest(({ path }, response) => {
      response.writeHead(307, { location: other.url + path });
      response.end();
    });
    const host = codeHost({}, onHost(on, moved.url));
    expect(await host.issues(1)).toEqual([]);
    expect(JSON.stringify(other.received)).not.toContain("token-of");
    for (const write of [
      () => host.addComment({ request: "7" }, REVIEW),
      () => host.editIssue(1, REVIEW),
    ])
      await expect(write()).rejects.toThrow(
        `was answered 307: a redirect to ${other.url}, which is not followed.`,
      );
    expect(other.received).toHaveLength(1);
  });

  it("a call goes through the proxy of the environment", async () => {
    const proxy = await proxyServer({ tunnelTo: fake.url });
    onTestFinished(() => proxy.close());
    vi.stubEnv("HTTP_PROXY", proxy.url);
    const host = codeHost({}, onHost(on, "http://host.invalid"));
    await putComment(host, "7", REVIEW);
    expect(fake.on("7")).toHaveLength(1);
    expect(new Set(proxy.asked)).toEqual(new Set(["CONNECT host.invalid:80"]));
    vi.stubEnv("HTTP_PROXY", "proxy.example:3128");
    await expect(host.issues(1)).rejects.toThrow(
      /^The proxy of the environment \(HTTP_PROXY\) cannot be used/,
    );
  });

  it("a proxy that hangs up ends the call after the tries of a read", async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.once("data", () => socket.end());
    });
    const port = await listen(server);
    onTestFinished(() => void server.close());
    vi.stubEnv("HTTP_PROXY", `http://127.0.0.1:${port}`);
    const host = codeHost({}, onHost(on, "http://host.invalid"));
    await expect(host.issues(1)).rejects.toThrow(
      /was not answered: .* 3 times/,
    );
    expect(connections).toBeLessThan(9);
  });

  it("a host with two addresses that refuses a connection was sent nothing", async () => {
    const addresses = ["127.0.0.1", "127.0.0.2"];
    vi.spyOn(dns, "lookup").mockImplementation(((
      _: string,
      __: object,
      answer: (error: null, found: dns.LookupAddress[]) => void,
    ) =>
      answer(
        null,
        addresses.map((address) => ({ address, family: 4 })),
      )) as never);
    const host = codeHost({}, onHost(on, "http://host.invalid:9"));
    await expect(host.openIssue("Drift", REVIEW)).rejects.toThrow(
      /was not answered: connect ECONNREFUSED 127\.0\.0\.1:9\.$/,
    );
  });

  it("a redirect to no address is no missing answer", async () => {
    const lost = await serverForTest((_, response) => {
      response.writeHead(302, { location: "http://[" });
      response.end();
    });
    const host = codeHost({}, onHost(on, lost.url));
    await expect(host.issues(1)).rejects.toThrow("was answered 302: Found.");
    expect(lost.received).toHaveLength(1);
  });

  it("a write follows a redirect within its host only if it stays a write", async () => {
    let status = 301;
    const moved = await serverForTest(({ path }, response) => {
      if (path === "/renamed") return json(response, 201, { id: 1 });
      response.writeHead(status, { location: "/renamed" });
      response.end();
    });
    const host = codeHost({}, onHost(on, moved.url));
    await expect(host.openIssue("Drift", REVIEW)).rejects.toThrow(
      "was answered 301: a redirect",
    );
    status = 307;
    await host.openIssue("Drift", REVIEW);
    expect(moved.received.at(-1)).toMatchObject({
      ...{ method: "POST", path: "/renamed" },
      body: expect.stringContaining("devid-review") as string,
    });
  });

  it("a refusal of GitHub names the part that was refused", async () => {
    const errors = [{ resource: "Issue", field: "body", code: "invalid" }];
    const server = await serverForTest((_, response) =>
      json(response, 422, { message: "Validation Failed", errors }),
    );
    const host = codeHost({}, onHost(on, server.url));
    await expect(host.openIssue("Drift", REVIEW)).rejects.toThrow(
      `was answered 422: "Validation Failed" ${JSON.stringify(errors)}.`,
    );
  });

  it("a read or an edit that met a fault is tried again, and a POST is not", async () => {
    let faults = 2;
    const server = await serverForTest((_, response) => {
      if (faults-- <= 0) return json(response, 200, { id: 1 });
      response.writeHead(502, { "content-type": "text/html" });
      response.end(faults === 0 ? "" : "<html>\nBad gateway</html>");
    });
    const host = codeHost({}, onHost(on, server.url));
    await host.editIssue(1, REVIEW);
    expect(server.received).toHaveLength(3);
    faults = 1;
    await expect(host.openIssue("Drift", REVIEW)).rejects.toThrow(
      "was answered 502: Bad Gateway. It is not known whether it was done.",
    );
    expect(server.received).toHaveLength(4);
    faults = 5;
    await expect(host.issues(1)).rejects.toThrow(
      String.raw`was answered 502: a page, perhaps of a proxy: "<html>\nBad gateway</html>". It was tried 3 times.`,
    );
  });

  it.each([
    [429, "Retry later"],
    [403, { message: "You have exceeded a secondary rate limit." }],
  ])(
    "a rate limit, answered with %i, is waited for, and is no refusal of the token",
    async (status, body) => {
      let limits = 1;
      let retryAfter = "0";
      const server = await serverForTest((_, response) => {
        if (limits-- <= 0)
          return json(response, 200, { id: 2, login: "robot" });
        response.writeHead(status, { "retry-after": retryAfter });
        response.end(typeof body === "string" ? body : JSON.stringify(body));
      });
      const host = codeHost({}, onHost(on, server.url));
      expect(await host.author()).toBe(on.isGitLab ? "2" : "robot");
      limits = 1;
      await host.openIssue("Drift", REVIEW);
      expect(server.received).toHaveLength(4);
      const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString();
      for (const [pause, call] of [
        ["61", () => host.author()],
        [inTwoMinutes, () => host.closeIssue(1, "")],
      ] as const) {
        [limits, retryAfter] = [1, pause];
        await expect(call()).rejects.toThrow(
          /was answered \d+: .*\. Run this job again later\.$/,
        );
      }
      expect(server.received).toHaveLength(6);
    },
  );

  it("the reviews of other open requests are marked as outdated, once", async () => {
    // A rule may have the words of the mark in its name.
    const body = `${REVIEW}\n| 1 | \`> **Outdated:** it is\` |\n\n${recordLine(undefined)}\n`;
    for (const request of ["8", "9"]) fake.heads.set(request, COMMIT);
    fake.cameWith.set(COMMIT, "9");
    const theirs = fake.add("8", ANA, body);
    const own = fake.add("8", on.author, body);
    const merged = fake.add("9", on.author, body);
    const host = hostWith();
    for (let time = 0; time < 2; time += 1) await markOutdated(host, MARKER);
    expect(fake.requests.filter((one) => /^P[AU]/.test(one))).toHaveLength(1);
    expect(fake.requests.filter((one) => one === "GET /user")).toHaveLength(1);
    expect([theirs.body, merged.body]).toEqual([body, body]);
    const [marker, note, empty, ...rest] = own.body.split("\n");
    expect([marker, empty, rest.join("\n")]).toEqual([
      MARKER,
      "",
      body.slice(MARKER.length + 1),
    ]);
    expect(note).toMatch(new RegExp(`^> \\*\\*Outdated:\\*\\* .*${COMMIT}`));
  });

  it("a failure about one open request comes after the others, and a request that is closed meanwhile hides none", async () => {
    const numbers = Array.from({ length: 150 }, (_, i) => String(i + 7));
    for (const request of numbers) fake.heads.set(request, COMMIT);
    const begun: string[] = [];
    const all = forOpenRequests(hostWith(), (request) => {
      begun.push(request);
      // The requests of the second page move up.
      fake.heads.delete(request);
      return Number(request) > 8
        ? Promise.resolve(undefined)
        : Promise.reject(new Error(`It is ${request}.`));
    });
    await expect(all).rejects.toThrow("It is 7.");
    expect(begun).toEqual(numbers);
  });

  it("a comment of the longest length can still be marked and recorded", async () => {
    fake.heads.set("8", COMMIT);
    const record = {
      digest: `sha256:${"0".repeat(64)}`,
      run: "1",
      commit: COMMIT,
    };
    const text = cutToFit(REVIEW.padEnd(70_000, "x"), "The log has the rest.");
    const body = `${text}\n\n${recordLine(record)}\n`;
    const host = hostWith();
    await putComment(host, "8", body);
    await markOutdated(host, MARKER);
    const found = await ownComment(host, "8", MARKER);
    expect(found?.body.length).toBeLessThanOrEqual(COMMENT_LIMIT);
    expect(found?.body).toContain(
      "The rest is left out. The log has the rest.",
    );
    expect(recordIn(found?.body ?? "")).toEqual(record);
  });

  it("a comment is cut behind a line, never in the middle of code", () => {
    const line = "- `@team`: x";
    const text = cutToFit(`${line}\n`.repeat(10_000), "The log has the rest.");
    const [kept = ""] = text.split("\n\n…");
    expect(new Set(kept.split("\n"))).toEqual(new Set([line]));
  });

  it("a comment or an issue that somebody deletes after it was listed is made anew", async () => {
    const host = hostWith();
    const { comments, issues } = host;
    host.comments = (...asked) =>
      comments(...asked).finally(() => (fake.comments.length = 0));
    host.issues = (page) =>
      issues(page).finally(() => (fake.issues.length = 0));
    const failure = { failure: "The key is refused.", exitCode: 1 };
    for (const done of [
      () => putComment(host, "7", REVIEW),
      () => keepDriftIssue(host, SUBJECT, failure),
    ])
      for (let time = 0; time < 2; time += 1)
        expect(await done()).toMatch(/(made|opened)\.$/);
    expect([fake.comments.length, fake.issues.length]).toEqual([1, 1]);
    fake.heads.set("7", COMMIT);
    await markOutdated(host, MARKER);
    expect(fake.comments).toEqual([]);
  });

  it("a request is reviewed if this account has written a review of any file", async () => {
    fake.add("7", ANA, REVIEW);
    expect(await isReviewed(hostWith(), "7")).toBe(false);
    for (let i = 0; i < 120; i += 1) fake.add("7", ANA, "LGTM");
    fake.add("7", on.author, REVIEW.replace("rules.yaml", "other.yaml"));
    expect(await isReviewed(hostWith(), "7")).toBe(true);
  });

  it("one issue about drift is opened, rewritten, closed, and opened anew", async () => {
    const marker = "<!-- devid-drift:rules.yaml:stack=prod -->";
    const theirs = {
      ...{ id: 1, author: ANA, title: "Drift", isOpen: true },
      body: `${marker}\nof Ana`,
    };
    fake.issues.push(theirs, { ...theirs, id: 2, body: "" });
    const keep = (failure?: string, subject = SUBJECT) =>
      keepDriftIssue(
        hostWith(),
        subject,
        failure === undefined ? undefined : { failure, exitCode: 1 },
      );
    expect(await keep("The key is refused.")).toBe("An issue was opened.");
    expect(await keep("x".repeat(70_000))).toBe("The issue was rewritten.");
    expect(fake.issues).toHaveLength(3);
    const own = fake.issues[2];
    expect(own).toMatchObject({
      ...{
        author: on.author,
        title: "Drift of prod (rules.yaml)",
        isOpen: true,
      },
    });
    expect(own?.body).toMatch(new RegExp(`^${marker}\n[^]*${COMMIT}`));
    expect(await keep()).toBe("The issue was closed.");
    expect(own?.isOpen).toBe(false);
    // If the comment fails, no later run makes it again.
    expect(fake.requests.at(-1)).toMatch(/^POST /);
    expect(fake.on("3")[0]?.body).toContain("Nothing differs any more");
    expect(await keep()).toBe("Nothing differs.");
    await keep("Again.");
    expect(fake.issues[3]?.body).toContain("Again.");
    const file = `${"folder/".repeat(50)}rules.yaml`;
    await keep("Again.", { ...SUBJECT, file });
    expect(fake.issues[4]?.title).toHaveLength(255);
    expect([theirs.isOpen, theirs.body]).toEqual([true, `${marker}\nof Ana`]);
  });

  it.each<readonly [string, Record<string, string>, RegExp]>([
    ["no token", { GITHUB_TOKEN: "", GITLAB_TOKEN: "" }, /_TOKEN is not set/],
    ...[
      "wrong–token",
      "“wrong-token”",
      "wrong-\ntoken",
      "wrong-\u200btoken",
    ].map(
      (token) =>
        [
          `the token ${JSON.stringify(token)}`,
          { GITHUB_TOKEN: token, GITLAB_TOKEN: token },
          /was not tried, for \w+_TOKEN cannot be used: its character \d+ /,
        ] as const,
    ),
    [
      "a wrong token",
      { GITHUB_TOKEN: "wrong-token", GITLAB_TOKEN: "wrong-token" },
      /was answered 401: "Bad credentials"\. Check what \w+_TOKEN may do/,
    ],
    [
      "no answer",
      {
        GITHUB_API_URL: "http://127.0.0.1:9",
        CI_API_V4_URL: "http://127.0.0.1:9",
      },
      /was not answered: .*\. It was tried 3 times\./,
    ],
  ])("%s causes an error of one sentence", async (_, env, sentence) => {
    const failed = putComment(hostWith(env), "7", REVIEW);
    await expect(failed).rejects.toThrow(sentence);
    await expect(failed).rejects.not.toThrow(/wrong.token|token-of|\n/);
  });
});

it("a variable of the runner that is missing or no address is named before the first call", () => {
  for (const [host, names] of [
    [
      GITHUB,
      [
        "GITHUB_REPOSITORY",
        "GITHUB_RUN_ID",
        "GITHUB_API_URL",
        "GITHUB_SERVER_URL",
      ],
    ],
    [GITLAB, ["CI_PROJECT_ID", "CI_JOB_ID", "CI_API_V4_URL", "CI_JOB_URL"]],
  ] as const)
    for (const name of names) {
      const withValue = (value: string | undefined) => () =>
        codeHost({}, onHost(host, fake.url, { [name]: value }));
      for (const value of ["", undefined])
        expect(withValue(value)).toThrow(`${name} is not set: `);
      if (name.endsWith("_URL"))
        expect(withValue("host")).toThrow(`${name} is not the address`);
    }
});

const on = (host: HostCase, env: Record<string, string>): CodeHost =>
  codeHost({}, onHost(host, fake.url, env));

it("a GitHub app other than Actions is recognised by COMMENT_AUTHOR", async () => {
  const own = fake.add("7", ANA, `${MARKER}\nOlder`);
  await putComment(on(GITHUB, { COMMENT_AUTHOR: "ana" }), "7", REVIEW);
  expect(own.body).toBe(REVIEW);
});

it("a push to GitLab's main branch belongs to the merge request that brought it", async () => {
  fake.cameWith.set(COMMIT, "7");
  const env = { CI_MERGE_REQUEST_IID: "", CI_COMMIT_SHA: COMMIT };
  expect(await on(GITLAB, env).requestOfThis()).toBe("7");
  const pushed = { ...env, CI_COMMIT_SHA: "beef".padEnd(40, "0") };
  expect(await on(GITLAB, pushed).requestOfThis()).toBeUndefined();
});

it("the host is that of the runner", () => {
  expect(() => codeHost({}, {})).toThrow("set one of them to true");
  const gitHub = { GITHUB_ACTIONS: "true" };
  expect(() => codeHost({}, gitHub)).toThrow("GITHUB_REPOSITORY");
  expect(() => codeHost({}, { GITLAB_CI: "true" })).toThrow("CI_PROJECT_ID");
});
