import { afterAll, beforeAll, expect, it } from "vitest";
import { FakeCodeHost } from "../helpers/fake-code-host";
import { GitOpsRepository } from "../helpers/gitops-repository";
import { GITLAB, TOKENS } from "../helpers/host-cases";
import { LocalWorkspace } from "../helpers/local-workspace";
import { openForTests } from "../helpers/open-for-tests";
import { inForce, pastEvents, withRule } from "./gitops-rules";

// The same story on GitLab, with the program of docs/review.md: YAML with the plugin.

/** A situation of docs/review.md. */
const situation = it;

const workspace = openForTests(new LocalWorkspace());
const host = openForTests(new FakeCodeHost(TOKENS));
let gitops: GitOpsRepository;

beforeAll(async () => {
  gitops = await GitOpsRepository.open("plugin", workspace, host);
  await workspace.control("/us/events", pastEvents());
  expect(await gitops.deploy()).toEqual({ create: 2 });
});
afterAll(() => gitops?.close());

situation("Two pull requests are merged one after the other", async () => {
  const one = gitops.edit("one", withRule("block-one", "192.0.2.1/32"));
  const two = gitops.edit(
    "two",
    withRule("block-two", "192.0.2.2/32", "block-other-sites"),
  );
  for (const [commit, request] of [
    [one, "23"],
    [two, "24"],
  ] as const)
    expect(await gitops.review(GITLAB, commit, { request })).toMatchObject({
      code: 0,
    });
  expect(host.on("24")[0]?.body).toContain("block-two");
  const first = gitops.merge("one", { request: "23" });
  const second = gitops.merge("two", { request: "24" });
  expect(await gitops.apply(GITLAB, first, { request: "23" })).toMatchObject({
    code: 0,
  });
  expect(await inForce(gitops)).toContain("block-one");
  const { code, output } = await gitops.apply(GITLAB, second, {
    request: "24",
  });
  expect(code).toBe(1);
  expect(output).toContain("The way out: start the job `recover`");
  const said = host.on("24")[1]?.body;
  expect(said).toContain("was not applied");
  expect(said).toContain("block-one: added");
  expect(await inForce(gitops)).not.toContain("block-two");
});

it("The main branch is recovered on GitLab", async () => {
  const main = gitops.commitOf("main");
  expect(await gitops.run(GITLAB, "recover")).toMatchObject({ code: 0 });
  expect(host.on(main)[0]?.body).toContain("block-two");
  expect(await gitops.run(GITLAB, "recover-apply")).toMatchObject({ code: 0 });
  expect(await inForce(gitops)).toContain("block-two");
});
