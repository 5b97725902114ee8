import { execFileSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DevidProcess } from "../../devid-process";

/** Settings of git that do not depend on who runs the tests. */
export const GIT = {
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Author",
  GIT_AUTHOR_EMAIL: "author@shop.example",
  GIT_COMMITTER_NAME: "Author",
  GIT_COMMITTER_EMAIL: "author@shop.example",
};

/** A temporary git repository with rule files, and `devid rules review`. */
export class ReviewRepository {
  /** @param path a folder that becomes a repository; default: a new one */
  constructor(readonly path = mkdtempSync(join(tmpdir(), "devid-review-"))) {
    this.git("init", "--quiet", "--template=", "--initial-branch=main");
  }

  copy(): ReviewRepository {
    const copy = new ReviewRepository();
    cpSync(this.path, copy.path, { recursive: true });
    return copy;
  }

  /** Writes a file with text or JSON, and returns its path. */
  file(name: string, content: unknown): string {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    const isText = typeof content === "string";
    writeFileSync(path, isText ? content : JSON.stringify(content));
    return path;
  }

  /** Creates a symbolic link. */
  link(name: string, target: string): void {
    symlinkSync(target, join(this.path, name));
  }

  /** Commits every change. */
  commit(): void {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message=Rules");
  }

  git(...args: string[]): string {
    return execFileSync("git", args, {
      cwd: this.path,
      encoding: "utf8",
      env: { ...process.env, ...GIT },
    });
  }

  /** Runs `devid rules review`. Removes the repository's path from the output. */
  async review(args: readonly string[], env: Record<string, string> = {}) {
    const ran = await DevidProcess.run(["rules", "review", ...args], env);
    const short = (text: string) => text.replaceAll(`${this.path}/`, "");
    const { code, stdout, stderr } = ran;
    return { code, stdout: short(stdout), stderr: short(stderr) };
  }

  close(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
