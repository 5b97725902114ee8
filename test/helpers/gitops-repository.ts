import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { rulesDigest } from "../../rules/src";
import { DevidServer } from "./devid-server";
import { EngineStack, makeWorkFolder, type Changes } from "./engine-stack";
import { yamlHostSettings } from "./form-stack";
import {
  GITOPS_PROGRAMS,
  writeYamlProgram,
  type GitOpsProgram,
} from "./gitops-program";
import { LocalWorkspace } from "./local-workspace";
import {
  runGitHubJob,
  runGitLabJob,
  type JobRun,
  type Runner,
} from "./pipeline";
import type { Form } from "./program-form";
import { ReviewHost, type Author } from "./review-host";

const EXAMPLE = resolve(__dirname, "../../examples/gitops");
const POLICY = resolve(__dirname, "../../policy");
const COMMANDS = resolve(__dirname, "../../node_modules/.bin");

/**
 * The authors of the pipelines' comments; a pipeline's token identifies its
 * author.
 */
export const AUTHORS = {
  actions: { id: 1, login: "github-actions[bot]", isApp: true },
  gitlab: { id: 2, login: "project_1_bot" },
  fork: { id: 1, login: "github-actions[bot]", isApp: true, mayWrite: false },
  reviewer: { id: 3, login: "ana" },
} satisfies Record<string, Author>;
const GITHUB_TOKEN = "token-of-the-workflow";
const GITLAB_TOKEN = "token-of-the-project";
/** The token that GitHub gives to a workflow of a fork. */
export const READING_TOKEN = "token-of-a-fork";

const GIT = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_AUTHOR_NAME: "Author",
  GIT_AUTHOR_EMAIL: "author@shop.example",
  GIT_COMMITTER_NAME: "Author",
  GIT_COMMITTER_EMAIL: "author@shop.example",
};

/** Settings of a pipeline that a test overrides. */
export interface Given {
  readonly managementKey?: string;
  readonly secretKey?: string;
  readonly stack?: string;
  readonly environment?: string;
  /** Whether the policy pack of the example runs. */
  readonly hasPolicies?: boolean;
  /** The token for writing comments. */
  readonly token?: string;
}

/**
 * A repository made from examples/gitops, an author who changes it, and the
 * pipelines of GitHub and GitLab. All run on one machine with a real engine.
 */
export class GitOpsRepository {
  private constructor(
    readonly workspace: LocalWorkspace,
    readonly host: ReviewHost,
    readonly stack: EngineStack,
    readonly program: GitOpsProgram,
    private readonly devid: DevidServer,
    private readonly parent: string,
  ) {}

  /** @param form the form of its program */
  static async open(form: Form = "dynamic"): Promise<GitOpsRepository> {
    const parent = makeWorkFolder();
    const workspace = await LocalWorkspace.start();
    const kept = join(parent, "kept");
    const host = await ReviewHost.start(
      {
        [GITHUB_TOKEN]: AUTHORS.actions,
        [GITLAB_TOKEN]: AUTHORS.gitlab,
        [READING_TOKEN]: AUTHORS.fork,
      },
      kept,
    );
    const example = join(parent, "example");
    cpSync(EXAMPLE, example, { recursive: true });
    if (form === "plugin") writeYamlProgram(example);
    const stack = await EngineStack.open(
      {
        DEVID_ENDPOINT: workspace.url,
        CI: "true",
        ...GIT,
        ...(form === "plugin" && (await yamlHostSettings())),
      },
      example,
    );
    const repository = new GitOpsRepository(
      workspace,
      host,
      stack,
      GITOPS_PROGRAMS[form],
      await DevidServer.start(),
      parent,
    );
    await repository.#start();
    return repository;
  }

  /** Deploys the program for the first time; no rules are in force. */
  async deploy(): Promise<Changes> {
    const { us } = this.workspace.service.workspaces;
    const { form } = this.program;
    if (form === "plugin") {
      const { workFolder } = this.stack;
      writeFileSync(join(workFolder, "in-force.txt"), `${rulesDigest([])}\n`);
    }
    this.stack.set({ DEVID_MANAGEMENT_KEY: us.managementKey });
    const changes = await this.stack.up();
    this.stack.set({ DEVID_MANAGEMENT_KEY: undefined });
    return changes;
  }

  async close(): Promise<void> {
    this.stack.close();
    rmSync(this.parent, { recursive: true, force: true });
    await this.host.close();
    await this.devid.close();
    await this.workspace.close();
  }

  async #start(): Promise<void> {
    const { file, findRuleFile, form } = this.program;
    if (form === "plugin")
      await this.stack.configure(
        "environment",
        this.workspace.service.workspaces.us.environment,
      );
    const commands = join(this.parent, "commands");
    mkdirSync(commands);
    const stub = (name: string, text: string) =>
      writeFileSync(join(commands, name), `#!/bin/bash\n${text}\n`, {
        mode: 0o755,
      });
    // The packages are already installed in a folder above. A policy pack is named by
    // its path.
    stub(
      "npm",
      `mkdir -p node_modules/@devid && ln -sfn "${POLICY}" node_modules/@devid/policy`,
    );
    // The check and the tests of one rule file always print the same, so the
    // first output is reused. All other commands run in this process.
    stub(
      "npx",
      `[ "$1" = --no ] || exit 2
shift
case "$2 $3" in
"rules check" | "rules test")
  PATH="${COMMANDS}${delimiter}$PATH"
  said="${this.parent}/$3-$(sha256sum <"$4" | cut -c1-16)"
  [ -f "$said.code" ] || { "$@" >"$said" 2>&1; echo $? >"$said.code"; }
  cat "$said"
  exit "$(cat "$said.code")" ;;
esac
[ "$1" = devid ] || exit 2
${this.devid.command}`,
    );
    // A preview of the same program and rules always prints the same, so the
    // first output is reused. The name of the program's rule file and its line
    // endings do not matter.
    stub(
      "pulumi",
      `PATH=\${PATH#*:}
case "$*" in *--save-plan*) ;; *) exec pulumi "$@" ;; esac
rules=$(sed -n '${findRuleFile}' ${file})
made="${this.parent}/$( (cat ${file} $rules | sed 's/[a-z]*\\.yaml/rules.yaml/; s/\\r$//'; echo "$EXPECTED_IN_FORCE $PULUMI_STACK $RULES_ENVIRONMENT $*") | sha256sum | cut -c1-16)"
if [ -d "$made" ]; then cp "$made"/plan.* .; exec cat "$made/preview.json"; fi
mkdir "$made" && pulumi "$@" >"$made/preview.json" || { cat "$made/preview.json"; rm -r "$made"; exit 1; }
cp plan.json plan.events "$made"
cat "$made/preview.json"`,
    );
    stub(
      "gh",
      `if [ "$1" = api ]; then echo "$FORK_OR_THIS"; exit; fi
[ "$1 $2 $3" = "run download --name" ] || exit 2
[ -d "${this.host.kept}/$4" ] || { echo "no artifact matches any of the names"; exit 1; }
cp "${this.host.kept}/$4"/* .`,
    );
    const { origin, author } = this;
    await this.ok(
      `git init -q --bare "${origin}" && git init -q -b main . && git config core.autocrlf false`,
    );
    appendFileSync(
      join(this.stack.workFolder, ".git/info/exclude"),
      "/.engine/\n",
    );
    await this.ok(
      `git add -A && git commit -qm "Rules as they are" && git remote add origin "${origin}" && git push -q origin main && git clone -q "${origin}" "${author}"`,
    );
  }

  private get origin() {
    return join(this.parent, "rules.git");
  }

  /** The author's copy of the repository. */
  get author() {
    return join(this.parent, "author");
  }

  /**
   * Runs a command in the stack's folder and returns its output; the command
   * must succeed.
   */
  async ok(command: string, env: Record<string, string> = {}): Promise<string> {
    const { code, output } = await this.stack.shell(command, env);
    if (code === 0) return output.trim();
    throw new Error(`${command} failed:\n${output}`);
  }

  /** Runs git in the author's copy of the repository. */
  git(command: string): Promise<string> {
    return this.ok(`cd "${this.author}" && git ${command}`);
  }

  /**
   * Edits files and commits them to a branch, which is created from `from`;
   * returns the commit.
   */
  async push(
    branch: string,
    edits: Readonly<Record<string, (text: string) => string>>,
    from = "origin/main",
  ): Promise<string> {
    await this.git(`fetch -q && git switch -q -C ${branch} ${from}`);
    for (const [file, edit] of Object.entries(edits)) {
      const path = join(this.author, file);
      writeFileSync(path, edit(readFileSync(path, "utf8")));
    }
    return this.commit(branch);
  }

  /**
   * Commits all changes in the author's copy to its current branch; returns the
   * commit.
   */
  async commit(message: string): Promise<string> {
    await this.git(
      `add -A && git commit -q --allow-empty -m "${message}" && git push -qf origin HEAD`,
    );
    return this.git("rev-parse HEAD");
  }

  /**
   * Merges a branch as the merge button of the host does; returns the commit on
   * the main branch.
   */
  async merge(
    branch: string,
    { request = "7", isSquashed = false } = {},
  ): Promise<string> {
    const how = isSquashed
      ? `git merge -q --squash ${branch} && git commit -qm "${branch}"`
      : `git merge -q --no-ff -m "Merge ${branch}" ${branch}`;
    await this.git(
      `fetch -q && git switch -q -C main origin/main && ${how} && git push -q origin main`,
    );
    const commit = await this.git("rev-parse HEAD");
    this.host.cameWith.set(commit, request);
    return commit;
  }

  /**
   * Runs GitHub's review of a commit, merged with the main branch. The commit
   * is the newest of its pull request or an older one.
   */
  async review(
    commit: string,
    {
      request = "7",
      newest = commit,
      ...given
    }: Given & { request?: string; newest?: string } = {},
  ): Promise<JobRun> {
    this.host.heads.set(request, newest);
    await this.git(
      `fetch -q && git checkout -q --detach origin/main && git merge -q --no-ff -m "Merged" ${commit} && git push -qf origin HEAD:refs/pull/${request}/merge && git switch -q -`,
    );
    return this.#github("rules-review.yml", "review", given, {
      checkout: `refs/pull/${request}/merge`,
      "github.event_name": "pull_request",
      "github.event.pull_request.number": request,
    });
  }

  /**
   * Runs GitHub's review of a pull request that rules-apply.yml has started again,
   * because the main branch has changed. `from` is the repository that contains the
   * branch of the pull request.
   */
  async reviewAgain(
    commit: string,
    request: string,
    from = "shop/rules",
  ): Promise<JobRun> {
    await this.git(
      `fetch -q && git checkout -q --detach origin/main && git merge -q --no-ff -m "Merged" ${commit} && git push -qf origin HEAD:refs/pull/${request}/merge && git switch -q -`,
    );
    this.stack.set({ FORK_OR_THIS: from });
    return this.#github(
      "rules-review.yml",
      "review",
      {},
      {
        checkout: "main",
        "github.event_name": "workflow_dispatch",
        "inputs.pull_request": request,
      },
    );
  }

  /**
   * Runs GitHub's job that starts the reviews of open pull requests again after a
   * merge.
   */
  startReviews(merged: string): Promise<JobRun> {
    return this.#github(
      "rules-apply.yml",
      "review-again",
      {},
      {
        checkout: merged,
        "github.event.pull_request.merged": "true",
        "github.event.pull_request.merge_commit_sha": merged,
      },
    );
  }

  /** Runs GitHub's job that deploys a merged change. */
  apply(head: string, merged: string, request = "7"): Promise<JobRun> {
    return this.#github(
      "rules-apply.yml",
      "apply",
      {},
      {
        checkout: merged,
        "github.event.pull_request.merged": "true",
        "github.event.pull_request.number": request,
        "github.event.pull_request.head.sha": head,
        "github.event.pull_request.merge_commit_sha": merged,
      },
    );
  }

  /**
   * Runs one of the two jobs of GitHub's recovery for a commit of the main
   * branch.
   */
  recover(job: "plan" | "apply", commit: string): Promise<JobRun> {
    return this.#github(
      "rules-recover.yml",
      job,
      {},
      {
        checkout: commit,
        "github.ref_name": "main",
        "github.event.repository.default_branch": "main",
      },
    );
  }

  /** Adds objects to the main branch's list of objects that no program declares. */
  async allow(ids: readonly string[]): Promise<void> {
    await this.git("fetch -q && git switch -q -C main origin/main");
    appendFileSync(
      join(this.author, "drift-allowed.txt"),
      ids.map((id) => `${id}\n`).join(""),
    );
    await this.commit("Allowed");
  }

  drift(): Promise<JobRun> {
    return this.#github(
      "rules-drift.yml",
      "drift",
      {},
      {
        checkout: "main",
      },
    );
  }

  /**
   * Runs a GitLab job for a commit of a merge request or of the main branch.
   */
  gitlab(
    job: string,
    commit: string,
    { isMergeRequest = false, request = "7" } = {},
  ): Promise<JobRun> {
    const { us } = this.workspace.service.workspaces;
    if (isMergeRequest) this.host.heads.set(request, commit);
    return runGitLabJob(this.#runner, job, {
      checkout: commit,
      keptAs: isMergeRequest ? `merge-request-${request}` : "recovery",
      GITLAB_CI: "true",
      GITLAB_TOKEN,
      CI_API_V4_URL: this.host.url,
      CI_PROJECT_ID: "1",
      CI_COMMIT_SHA: commit,
      CI_JOB_URL: `${this.host.url}/shop/rules/-/jobs/1`,
      DEVID_MANAGEMENT_KEY: us.managementKey,
      DEVID_SECRET_KEY: us.secretKey,
      PULUMI_STACK: "test",
      POLICY_PACK: "",
      ...(isMergeRequest
        ? {
            CI_MERGE_REQUEST_IID: request,
            CI_MERGE_REQUEST_TARGET_BRANCH_NAME: "main",
          }
        : { CI_COMMIT_BRANCH: "main" }),
    });
  }

  #github(
    file: string,
    job: string,
    given: Given,
    context: Record<string, string>,
  ): Promise<JobRun> {
    const { us } = this.workspace.service.workspaces;
    return runGitHubJob(
      this.#runner,
      file,
      job,
      {
        "secrets.DEVID_MANAGEMENT_KEY": given.managementKey ?? us.managementKey,
        "secrets.DEVID_SECRET_KEY": given.secretKey ?? us.secretKey,
        "secrets.PULUMI_ACCESS_TOKEN": "",
        // Past events come from the service.
        ...Object.fromEntries(
          [
            "vars.EVENTS",
            "secrets.CLICKHOUSE_USER",
            "secrets.CLICKHOUSE_PASSWORD",
            "secrets.TRINO_USER",
            "secrets.TRINO_PASSWORD",
          ].map((name) => [name, ""]),
        ),
        "matrix.name": given.stack ?? "test",
        "matrix.stack": given.stack ?? "test",
        "matrix.environment": given.environment ?? "",
        // The engine takes a second to start the policy pack.
        ...(given.hasPolicies ? {} : { "matrix.policies": "" }),
        "github.token": given.token ?? GITHUB_TOKEN,
        ...context,
      },
      {
        GITHUB_API_URL: this.host.url,
        GITHUB_SERVER_URL: this.host.url,
        GITHUB_REPOSITORY: "shop/rules",
        GITHUB_RUN_ID: "1",
        GITHUB_SHA: context.checkout ?? "",
      },
    );
  }

  get #runner(): Runner {
    const { stack, host, parent } = this;
    const commands = join(parent, "commands");
    return {
      folder: stack.workFolder,
      kept: host.kept,
      shell: (command, env) =>
        stack.shell(`PATH="${commands}:$PATH"\n${command}`, { ...env }),
      checkout: async (ref) => {
        await this.ok(
          `git fetch -q origin && git fetch -q origin "${ref}" && git checkout -q --force --detach FETCH_HEAD && git clean -qffdx -e .engine`,
        );
      },
    };
  }
}
