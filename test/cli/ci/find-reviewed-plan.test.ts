import { afterEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { codeHost } from "../../../cli/src/ci/find-code-host";
import { findReviewedPlan } from "../../../cli/src/ci/find-reviewed-plan";
import { PLAN_FILE, recordLine } from "../../../cli/src/ci/plan-record";
import { packPlan } from "../../../cli/src/ci/reviewed-plan";
import {
  markerOf,
  planPlaceOf,
  type Subject,
} from "../../../cli/src/ci/subject";
import { cellsOf } from "../../helpers/cells-of";
import { FakeCodeHost, type Run } from "../../helpers/fake-code-host";
import {
  ANA,
  GITHUB,
  HOSTS,
  onHost,
  refOf,
  TOKENS,
  type HostCase,
} from "../../helpers/host-cases";
import { openForTests } from "../../helpers/open-for-tests";
import { zipArchive } from "../../helpers/zip-archive";

// Which plan an apply takes, on hosts that also have the runs and the plans of strangers.

const HEAD = "c0ffee".padEnd(40, "0");
const MERGED = "feed".padEnd(40, "0");
const REVIEW_RUN = 500;
const FORKED_RUN = 600;
const SUBJECT: Subject = {
  path: "rules.yaml",
  file: "rules.yaml",
  stack: "prod",
  planPath: `shop #1?/${PLAN_FILE}`,
};
const PLAN = {
  commit: HEAD,
  rulesInForce: [],
  digests: {},
  plan: '{"resourcePlans":{}}',
};
const OWN = packPlan(SUBJECT, PLAN);
const THEIRS = packPlan(SUBJECT, {
  ...PLAN,
  plan: '{"resourcePlans":{"a":{}}}',
});
const { artifact, path } = planPlaceOf(SUBJECT);
const JOB = "[shop, rules.yaml, prod]";

const host = openForTests(new FakeCodeHost(TOKENS));
afterEach(() => host.clear());

/** A run, by default the review of the request, and the plan that it kept. */
const keep = (
  { isGitLab }: HostCase,
  { bytes }: typeof OWN,
  run: Partial<Run> = {},
) =>
  host.keep(
    {
      ...{ id: REVIEW_RUN, commit: HEAD, job: `review: ${JOB}` },
      ...{ ref: refOf("7"), ...run },
    },
    bytes,
    { isGitLab, name: isGitLab ? path : artifact },
  );

const recordOf = ({ digest }: { digest: string }, run = REVIEW_RUN) =>
  recordLine({ digest, run: String(run), commit: HEAD });

/** The comment of a review, with the given last line. */
const commented = (author: HostCase["author"], last: string, kind = "review") =>
  host.add(
    kind === "review" ? "7" : MERGED,
    author,
    `${markerOf(`devid-${kind}` as "devid-review", SUBJECT)}\n### Review\n\n${last}\n`,
  );

/** A merged request whose review kept a plan, and a fork with a plan under the same name. */
function merged(on: HostCase, review: Partial<Run> = {}, plan = OWN): void {
  host.heads.set("7", HEAD);
  host.cameWith.set(MERGED, "7");
  // GitHub lists what runs of forks kept as if it were of this repository.
  const forked = { id: FORKED_RUN, from: "stranger/rules", project: 2 };
  keep(on, THEIRS, forked);
  keep(on, plan, review);
}

const found = (on: HostCase, isRecovery = false) =>
  findReviewedPlan(
    codeHost(
      { pullRequest: on.isGitLab ? undefined : "7" },
      onHost(on, host.url, {
        GITHUB_SHA: MERGED,
        CI_COMMIT_SHA: MERGED,
        CI_MERGE_REQUEST_IID: "",
        CI_JOB_NAME: `apply: ${JOB}`,
        GITHUB_RUN_ID: "900",
        CI_PIPELINE_ID: "900",
      }),
    ),
    SUBJECT,
    isRecovery,
  );

describe.each(HOSTS)("on $name, the plan of a merge", (on) => {
  it("is that of the run that the pipeline's own comment names", async () => {
    merged(on);
    commented(ANA, recordOf(THEIRS, FORKED_RUN));
    commented(on.author, recordOf(OWN));
    expect(await found(on)).toEqual(PLAN);
  });

  /** Whose plan it is, the run, the run's review, and the reason on each host. */
  const OTHERS = `
a run of a fork | ${FORKED_RUN} | {} | stranger/rules|project 2
a run that is not there | 700 | {} | answered 404
a run of another commit | ${REVIEW_RUN} | {commit: ${MERGED}} | commit feed
another workflow or job | ${REVIEW_RUN} | {workflow: other.yml, job: other} | not of .*rules-review\\.yml|the job other
a review of another branch or request | ${REVIEW_RUN} | {event: workflow_dispatch, branch: change, ref: refs/merge-requests/8/head} | started on change|refs/merge-requests/8
a run for another event, or a job that failed | ${REVIEW_RUN} | {event: pull_request_target, status: failed} | event pull_request_target|ended as failed
`;

  it.each(cellsOf(OTHERS))(
    "is never that of %s",
    async (_, run, review = "", reason = "") => {
      merged(on, parse(review) as Partial<Run>);
      commented(on.author, recordOf(OWN, Number(run)));
      await expect(found(on)).rejects.toThrow(new RegExp(reason));
    },
  );

  it("is refused if its digest is not the recorded one", async () => {
    merged(on);
    commented(on.author, recordOf(THEIRS));
    await expect(found(on)).rejects.toSay("ci/plan-of-another-digest");
  });

  it("is refused if it is of another stack or commit", async () => {
    const stack = packPlan({ ...SUBJECT, stack: "test" }, PLAN);
    const commit = packPlan(SUBJECT, { ...PLAN, commit: MERGED });
    for (const other of [stack, commit]) {
      merged(on, {}, other);
      commented(on.author, recordOf(other));
      await expect(found(on)).rejects.toThrow(/it is of (rules|commit)/);
      host.clear();
    }
  });

  it("is not there if the review failed, is missing, or is of an older commit", async () => {
    merged(on);
    await expect(found(on)).rejects.toSay("ci/plan-without-review");
    const comment = commented(on.author, recordLine(undefined));
    await expect(found(on)).rejects.toThrow("kept no plan");
    comment.body = comment.body.replace(recordLine(undefined), recordOf(OWN));
    host.heads.set("7", MERGED);
    await expect(found(on)).rejects.toSay("ci/plan-not-reviewed");
  });

  it("is not that of a record elsewhere in the comment", async () => {
    merged(on);
    commented(on.author, `${recordOf(OWN)}\n${recordLine(undefined)}`);
    await expect(found(on)).rejects.toThrow("kept no plan");
  });

  it("is not there if its artifact has gone", async () => {
    merged(on);
    host.artifacts.length = 1;
    commented(on.author, recordOf(OWN));
    await expect(found(on)).rejects.toThrow(/has no artifact|answered 404/);
  });
});

describe.each(HOSTS)("on $name, the plan of a recovery", (on) => {
  const recovered = (run: Partial<Run> & { id: number }) => {
    const plan = packPlan(SUBJECT, { ...PLAN, commit: MERGED });
    keep(on, plan, { commit: MERGED, pipeline: 900, ref: "main", ...run });
    const { digest } = plan;
    const record = { digest, run: String(run.id), commit: MERGED };
    commented(on.author, recordLine(record), "recovery");
  };
  const own = on.isGitLab ? 501 : 900;

  it("is that of this run, the newest one", async () => {
    commented(ANA, recordOf(THEIRS, FORKED_RUN), "recovery");
    recovered({ id: own, job: `recover: ${JOB}` });
    expect(await found(on, true)).toEqual({ ...PLAN, commit: MERGED });
  });

  it("is never that of another run", async () => {
    recovered({ id: 700, job: `recover: ${JOB}`, pipeline: 901 });
    await expect(found(on, true)).rejects.toThrow(/is of run 700|pipeline 901/);
  });

  it("is not there if nothing was kept", async () => {
    await expect(found(on, true)).rejects.toSay("ci/recovery-too-old");
  });
});

it("on GitHub, a review that was started again has its plan", async () => {
  const restarted = { event: "workflow_dispatch", branch: "main" };
  merged(GITHUB, { ...restarted, commit: MERGED });
  commented(GITHUB.author, recordOf(OWN));
  expect(await found(GITHUB)).toEqual(PLAN);
});

it("on GitHub, an artifact that is no plan is refused, and written nowhere", async () => {
  merged(GITHUB);
  commented(GITHUB.author, recordOf(OWN));
  const bytes = zipArchive(
    { name: PLAN_FILE, content: OWN.bytes },
    { name: ".npmrc", content: "node-options=--require ./x.cjs" },
  );
  host.artifacts[1] = { id: 2, run: REVIEW_RUN, name: artifact, bytes };
  await expect(found(GITHUB)).rejects.toThrow("cannot be used");
});
