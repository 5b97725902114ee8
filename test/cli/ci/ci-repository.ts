import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { PLAN_FILE } from "../../../cli/src/ci/plan-record";
import { rulesDigest, type Rule } from "../../../rules/src";
import type { FakeCodeHost } from "../../helpers/fake-code-host";
import {
  MAIN_EVENT,
  onHost,
  refOf,
  requestEvent,
  type HostCase,
} from "../../helpers/host-cases";
import type { LocalWorkspace } from "../../helpers/local-workspace";
import { DevidProcess, type DevidResult } from "../devid-process";
import {
  previewOutput,
  ruleSetArgs,
  type PreviewStep,
} from "../sources/review/preview-output";
import { ReviewRepository } from "../sources/review/review-repository";

/** The stack of `previewOutput`. */
export const STACK = "prod";
export const FILE = "rules.json";

/** What the engine answers to a preview, in place of a real one. */
export interface Planned {
  /** Default: the rules of the file. */
  readonly rules?: readonly object[];
  /** The rules in the state. */
  readonly before?: readonly object[];
  readonly op?: string;
  /** More arguments of the planned rule set. */
  readonly after?: Record<string, unknown>;
  readonly more?: readonly PreviewStep[];
  /** The whole output, in place of the rest. */
  readonly output?: string;
  readonly code?: number;
  readonly log?: string;
  readonly events?: string;
}

/** What a pipeline is given. */
export interface Given {
  readonly request?: string;
  /** The newest commit of the request. Default: the reviewed one. */
  readonly newest?: string;
  /** Default: `FILE`. */
  readonly file?: string;
  readonly flags?: readonly string[];
  readonly env?: Record<string, string>;
  readonly planned?: Planned;
}

/** Where a command runs, and for what. */
interface Place {
  readonly on: HostCase;
  readonly run: number;
  readonly event: object;
  readonly commit: string;
  readonly request?: string | undefined;
}

/** A stand-in for the engine: it prints what the test has prepared, and notes its calls. */
const PULUMI = `#!/bin/bash
data="$(dirname "$0")/../data"
echo "$*" >>"$data/calls"
env | grep -E '^(GITHUB_TOKEN|GH_TOKEN|GITLAB_TOKEN|DEVID_MANAGEMENT_KEY)=' | cut -d= -f1 >>"$data/keys"
save= events= plan=
while [ $# -gt 0 ]; do
  case "$1" in
  preview | up | stack | config) did=\${did:-$1} ;;
  --save-plan) save=$2 ;;
  --event-log) events=$2 ;;
  --plan) plan=$2 ;;
  esac
  shift
done
[ -z "$save" ] || [ "$(cat "$data/code")" != 0 ] || cp "$data/plan.json" "$save"
[ -z "$events" ] || cp "$data/$did.events" "$events"
[ -z "$plan" ] || cp "$plan" "$data/applied.json"
case "$did" in
preview) cat "$data/preview.json"; cat "$data/log" >&2; exit "$(cat "$data/code")" ;;
up)
  echo "Updating ($EXPECTED_IN_FORCE)"
  echo "$EXPECTED_IN_FORCE $(cat in-force.txt)" >"$data/in-force"
  if [ -f "$data/up.waits" ]; then
    trap 'kill $!; touch "$data/interrupted"; exit 130' INT
    sleep infinity &
    echo "$$" >"$data/updating"
    wait
  fi
  [ ! -f "$data/up.log" ] || cat "$data/up.log" >&2
  exit "$(cat "$data/up.code")"
  ;;
stack) cat "$data/state.json" ;;
config) echo '{}' ;;
esac
`;

/**
 * A repository with a rule file, its pipelines on both hosts, and a stand-in for the engine.
 * The commands run in this process.
 */
export class CiRepository {
  readonly git = new ReviewRepository();
  readonly #parent = mkdtempSync(join(tmpdir(), "devid-ci-"));
  #runs = 500;

  constructor(
    private readonly workspace: LocalWorkspace,
    readonly host: FakeCodeHost,
    main: unknown,
  ) {
    for (const folder of ["bin", "data"]) mkdirSync(join(this.#parent, folder));
    const pulumi = join(this.#parent, "bin/pulumi");
    writeFileSync(pulumi, PULUMI);
    chmodSync(pulumi, 0o755);
    this.data("up.events", '{"summaryEvent":{"result":"succeeded"}}\n');
    this.data("up.code", "0");
    this.data("state.json", '{"version":3,"deployment":{"resources":[]}}');
    this.git.file("README.md", "Rules\n");
    if (main !== undefined) this.git.file(FILE, main);
    this.git.file(
      ".gitignore",
      `${PLAN_FILE}\nin-force.txt\nplan.log\npreview.json\n`,
    );
    this.git.commit();
    // The repository is its own origin.
    this.git.git("remote", "add", "origin", this.git.path);
  }

  /** The path of a file of the engine's stand-in. */
  place(name: string): string {
    return join(this.#parent, "data", name);
  }

  /** Writes a file that the engine's stand-in reads. */
  data(name: string, text: string): void {
    writeFileSync(this.place(name), text);
  }

  /** Reads a file that the engine's stand-in wrote; empty if there is none. */
  noted(name: string): string {
    const path = this.place(name);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  }

  hasNoted(name: string): boolean {
    return existsSync(this.place(name));
  }

  /** The digest of the plan that the last review kept. */
  digestKept(): string {
    const bytes = readFileSync(join(this.git.path, PLAN_FILE));
    return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  }

  /** Commits files to a branch that begins at another one; returns the commit. */
  push(
    branch: string,
    files: Readonly<Record<string, unknown>>,
    from = "main",
  ): string {
    this.git.git("checkout", "--quiet", "--force", "-B", branch, from);
    for (const [name, content] of Object.entries(files))
      this.git.file(name, content);
    this.git.commit();
    return this.#head();
  }

  /** Merges a commit into the main branch; returns the merge. */
  merge(commit: string, request = "7"): string {
    this.git.git("checkout", "--quiet", "--force", "main");
    this.git.git("merge", "--quiet", "--no-ff", "-m", "Merge", commit);
    this.host.cameWith.set(this.#head(), request);
    // The job that applies has a checkout of its own.
    rmSync(join(this.git.path, "in-force.txt"), { force: true });
    return this.#head();
  }

  /**
   * Reviews a commit as the workflow of a host does: GitHub reviews its merge with the main
   * branch, GitLab the commit itself. If a plan was kept, the host gets it.
   */
  async review(
    on: HostCase,
    commit: string,
    given: Given = {},
  ): Promise<DevidResult & { readonly isKept: boolean }> {
    const { request = "7", newest = commit, flags = [], env } = given;
    const { file = FILE, planned } = given;
    this.host.heads.set(request, newest);
    if (on.isGitLab) this.git.git("checkout", "--quiet", "--force", commit);
    else {
      this.git.git("checkout", "--quiet", "--force", "--detach", "main");
      this.git.git("merge", "--quiet", "--no-ff", "-m", "Merged", commit);
    }
    const run = (this.#runs += 1);
    const event = requestEvent(request, commit);
    return this.#ran(
      ["review", file, "--base", "main", ...flags],
      { on, run, event, commit, request, ...(planned && { planned }) },
      { CI_JOB_NAME: "review", ...env },
    );
  }

  /** Plans a recovery of the newest commit of the main branch, or of another commit. */
  async recover(
    on: HostCase,
    commit = this.git.git("rev-parse", "main").trim(),
    { flags = [], env, planned }: Given = {},
  ) {
    this.git.git("checkout", "--quiet", "--force", "--detach", commit);
    const run = (this.#runs += 1);
    return this.#ran(
      ["review", FILE, "--recover", ...flags],
      { on, run, event: MAIN_EVENT, commit, ...(planned && { planned }) },
      { CI_JOB_NAME: "recover", CI_PIPELINE_ID: "900", ...env },
    );
  }

  /** Applies what the recovery of the last run has planned. */
  applyRecovery(on: HostCase, given: Given = {}): Promise<DevidResult> {
    return this.#ran(
      ["apply", FILE, "--recover", ...(given.flags ?? [])],
      { on, run: this.#runs, event: MAIN_EVENT, commit: this.#head() },
      {
        CI_JOB_NAME: "recover-apply",
        CI_PIPELINE_ID: "900",
        ...given.env,
      },
    );
  }

  /** Applies a merge. */
  apply(
    on: HostCase,
    merged: string,
    { request = "7", flags = [], env }: Given = {},
  ): Promise<DevidResult> {
    const place = this.#merged(on, merged, request);
    return this.#ran(["apply", FILE, ...flags], place, {
      CI_JOB_NAME: "apply",
      ...env,
    });
  }

  /** Starts the apply of a merge on GitHub as a process of its own. */
  startApply(on: HostCase, merged: string): DevidProcess {
    const place = this.#merged(on, merged, "7");
    const env = this.#environment(place);
    const args = ["ci", "apply", FILE];
    return DevidProcess.start(args, env, "ignore", this.git.path);
  }

  #merged(on: HostCase, merged: string, request: string) {
    this.git.git("checkout", "--quiet", "--force", "--detach", merged);
    const head = this.host.heads.get(request) ?? "";
    const event = requestEvent(request, head, merged);
    return { on, run: 1, event, commit: merged };
  }

  /** Runs another command of the pipelines on the main branch. */
  run(
    on: HostCase,
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<DevidResult> {
    const commit = this.#head();
    return this.#ran(args, { on, run: 1, event: MAIN_EVENT, commit }, env);
  }

  close(): void {
    this.git.close();
    rmSync(this.#parent, { recursive: true, force: true });
  }

  async #ran(
    args: readonly string[],
    {
      on,
      run,
      event,
      commit,
      request,
      planned,
    }: Place & { readonly planned?: Planned },
    env: Record<string, string>,
  ) {
    if (args[0] === "review") this.#plan(planned ?? {});
    const result = await DevidProcess.run(
      ["ci", ...args],
      { ...this.#environment({ on, run, event, commit, request }), ...env },
      this.git.path,
    );
    const kept = join(this.git.path, PLAN_FILE);
    const isKept = args[0] === "review" && existsSync(kept);
    const [, artifact = ""] =
      /^artifact=(.*)$/m.exec(this.noted("output")) ?? [];
    if (isKept)
      this.host.keep(
        {
          ...{ id: run, commit, job: env.CI_JOB_NAME ?? "" },
          ...(env.CI_PIPELINE_ID && { pipeline: Number(env.CI_PIPELINE_ID) }),
          ref: refOf(request),
        },
        readFileSync(kept),
        { ...on, name: on.isGitLab ? PLAN_FILE : artifact },
      );
    return { ...result, isKept };
  }

  /** What a runner gives to a command, beside the variables of the job. */
  #environment({ on, run, event, commit, request }: Place) {
    for (const file of ["output", "summary"]) this.data(file, "");
    this.data("event.json", JSON.stringify(event));
    return {
      ...(onHost(on, this.host.url, {
        GITHUB_RUN_ID: String(run),
        GITHUB_EVENT_PATH: this.place("event.json"),
        GITHUB_OUTPUT: this.place("output"),
        GITHUB_STEP_SUMMARY: this.place("summary"),
        GITHUB_SHA: commit,
        CI_JOB_ID: String(run),
        CI_COMMIT_SHA: commit,
        CI_MERGE_REQUEST_IID: request ?? "",
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: request ? "main" : "",
        CI_COMMIT_BRANCH: "main",
      }) as Record<string, string>),
      PATH: [join(this.#parent, "bin"), process.env.PATH].join(delimiter),
      ...this.workspace.env,
      PULUMI_STACK: STACK,
      GITHUB_BASE_REF: "",
    };
  }

  /** Prepares what the engine's stand-in prints. */
  #plan({ before = [], op = "update", ...planned }: Planned): void {
    const { environment } = this.workspace.service.workspaces.us;
    const digest = { expectedInForce: rulesDigest(complete(before)) };
    const output =
      planned.output ??
      previewOutput(
        {
          ...{ op, name: "rules" },
          ...(op !== "create" && {
            id: environment,
            before: ruleSetArgs(before, digest),
          }),
          after: ruleSetArgs(planned.rules ?? this.#rulesOfFile(), {
            ...digest,
            ...planned.after,
          }),
        },
        ...(planned.more ?? []),
      );
    this.data("preview.json", output);
    this.data("plan.json", JSON.stringify({ resourcePlans: {} }));
    this.data("code", String(planned.code ?? 0));
    this.data("log", planned.log ?? "");
    this.data("preview.events", planned.events ?? "");
  }

  #rulesOfFile(): readonly object[] {
    try {
      const text = readFileSync(join(this.git.path, FILE), "utf8");
      return (JSON.parse(text) as { rules: object[] }).rules;
    } catch {
      return [];
    }
  }

  #head(): string {
    return this.git.git("rev-parse", "HEAD").trim();
  }
}

const complete = (rules: readonly object[]) =>
  rules.map((rule) => ({ status: "enabled", ...rule })) as unknown as Rule[];
