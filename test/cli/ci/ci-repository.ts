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
import type { HostCase } from "../../helpers/host-cases";
import type { LocalWorkspace } from "../../helpers/local-workspace";
import {
  PipelineRepository,
  type Execution,
  type Given,
  type Job,
} from "../../helpers/pipeline-repository";
import { DevidProcess, type DevidResult } from "../devid-process";
import {
  previewOutput,
  ruleSetArgs,
  type PreviewStep,
} from "../sources/review/preview-output";
import { ReviewRepository } from "../sources/review/review-repository";

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

/** What a job is given here. */
export interface CiGiven extends Given {
  /** Default: `FILE`. */
  readonly file?: string;
  readonly flags?: readonly string[];
  readonly planned?: Planned;
}

/** The arguments of `devid ci` for each job, which has the rule file in place of `FILE`. */
const ARGUMENTS: Readonly<Record<Job, readonly string[]>> = {
  review: ["review", FILE, "--base", "main"],
  apply: ["apply", FILE],
  recover: ["review", FILE, "--recover"],
  "recover-apply": ["apply", FILE, "--recover"],
  drift: ["drift", FILE],
  "review-again": ["review-again"],
};

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

/** Pipelines with a stand-in for the engine. Their commands run in this process. */
export class CiRepository extends PipelineRepository<CiGiven, DevidResult> {
  readonly #parent: string;

  constructor(workspace: LocalWorkspace, host: FakeCodeHost, main: unknown) {
    const git = new ReviewRepository();
    git.file("README.md", "Rules\n");
    git.file(FILE, main);
    git.file(
      ".gitignore",
      `${PLAN_FILE}\nin-force.txt\nplan.log\npreview.json\n`,
    );
    const parent = mkdtempSync(join(tmpdir(), "devid-ci-"));
    super(git, workspace, host, join(parent, "data"), {
      PATH: [join(parent, "bin"), process.env.PATH].join(delimiter),
      PULUMI_STACK: "prod",
    });
    this.#parent = parent;
    for (const folder of ["bin", "data"]) mkdirSync(join(parent, folder));
    const pulumi = join(parent, "bin/pulumi");
    writeFileSync(pulumi, PULUMI);
    chmodSync(pulumi, 0o755);
    this.data("up.events", '{"summaryEvent":{"result":"succeeded"}}\n');
    this.data("up.code", "0");
    this.data("state.json", '{"version":3,"deployment":{"resources":[]}}');
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
    return this.hasNoted(name) ? readFileSync(this.place(name), "utf8") : "";
  }

  hasNoted(name: string): boolean {
    return existsSync(this.place(name));
  }

  /** The digest of the plan that the last review kept. */
  digestKept(): string {
    const bytes = readFileSync(join(this.git.path, PLAN_FILE));
    return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  }

  /** Starts the apply of a merge as a process of its own. */
  startApply(on: HostCase, merged: string): DevidProcess {
    const env = this.variables(this.merged(on, merged), merged);
    const args = ["ci", ...ARGUMENTS.apply];
    return DevidProcess.start(args, env, "ignore", this.git.path);
  }

  close(): void {
    this.git.close();
    rmSync(this.#parent, { recursive: true, force: true });
  }

  protected override execute({ job, given, env }: Execution<CiGiven>) {
    const { file = FILE, flags = [], planned = {} } = given;
    if (job === "review" || job === "recover") this.#plan(planned);
    const args = ARGUMENTS[job].map((one) => (one === FILE ? file : one));
    return DevidProcess.run(["ci", ...args, ...flags], env, this.git.path);
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
}

const complete = (rules: readonly object[]) =>
  rules.map((rule) => ({ status: "enabled", ...rule })) as unknown as Rule[];
