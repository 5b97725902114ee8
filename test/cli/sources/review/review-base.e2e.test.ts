import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  vi,
} from "vitest";
import { GitRepository } from "../../../../cli/src/sources/review/git-repository";
import { reviewBase } from "../../../../cli/src/sources/review/review-base";
import { CRAWLERS, PHONES } from "../../cli-folder";
import { ReviewRepository } from "./review-repository";

const TARGET_BRANCH = [
  "GITHUB_BASE_REF",
  "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
];

let repository: ReviewRepository;
let rules: string;

beforeAll(() => {
  repository = new ReviewRepository();
  rules = repository.file("shop/rules.json", { rules: [CRAWLERS] });
  repository.file("rules.json", { rules: [PHONES] });
  repository.commit();
  repository.git("tag", "v1");
  repository.file("shop/rules.json", { rules: [] });
});

afterAll(() => repository?.close());

const LIVE = { name: "live (Production, ae_1)", rules: [] };
const base = (name: string | undefined, path = rules, instead = false) =>
  reviewBase(path, name, () => Promise.resolve(instead ? LIVE : undefined));
const pathInRepository = async (path: string) =>
  (await GitRepository.around(path)).fileName;
const short = (ref: string) => repository.git("rev-parse", ref).slice(0, 10);
const namesAt = async (source: string | undefined, path = rules) => {
  const found = await base(source, path);
  return "rules" in found ? found.rules.map(({ name }) => name) : found.absent;
};

describe("the base of a review", () => {
  it.each(["main", "v1", "HEAD", "main@{0}"])(
    "may be the git ref %s, in which the file has the same path",
    async (ref) => {
      expect(await namesAt(ref)).toEqual(["crawlers"]);
      expect(await namesAt(ref, join(repository.path, "rules.json"))).toEqual([
        "phones",
      ]);
    },
  );

  it("is empty, with a note, when the ref does not have the file", async () => {
    const names = ["new [1].json", "*.json", ":(glob)**", "rules.json "];
    for (const name of names)
      expect(await base("main", repository.file(name, "x"))).toEqual({
        assumeNotSent: [],
        name: `main at ${short("main")}`,
        rules: [],
        isMissing: true,
        note: `the file is not there at main at ${short("main")}, so it is compared with no rules`,
      });
  });

  it("is a file before a ref of the same name, and a ref before a folder", async () => {
    const file = repository.file("other.json", { rules: [PHONES] });
    expect(await namesAt(file)).toEqual(["phones"]);
    repository.git("branch", "shop");
    vi.spyOn(process, "cwd").mockReturnValue(repository.path);
    expect(await namesAt("shop")).toEqual(["crawlers"]);
    vi.restoreAllMocks();
  });

  it("may be an invalid file, and names the mistake", async () => {
    const broken = repository.file("broken.json", { rules: [{ name: "x" }] });
    expect(await namesAt(broken)).toBe(
      `${broken} is not a valid rule file: line 1: rules[0].expression: is required`,
    );
    repository.commit();
    repository.file("broken.json", { rules: [] });
    expect(await namesAt("HEAD", broken)).toBe(
      `broken.json at HEAD at ${short("HEAD")} is not a valid rule file: line 1: rules[0].expression: is required`,
    );
    expect(await base("HEAD", broken, true)).toEqual({
      ...LIVE,
      tests: 0,
      note: `compared with the rules in force, because broken.json at HEAD at ${short("HEAD")} is not a valid rule file: line 1: rules[0].expression: is required`,
    });
  });

  it.each([
    "nowhere",
    "nowhere:shop/rules.json",
    "",
    "main --",
    "main^{tree}",
    "main..v1",
  ])("is refused when it is neither a file nor a ref: %j", async (source) => {
    await expect(base(source)).rejects.toThrow(
      `"${source}" is neither a file nor a git ref`,
    );
  });

  it("is never read as an option of git", async () => {
    const victim = join(repository.path, "victim");
    for (const source of [`--output=${victim}`, "--help", "-n1", "--all"])
      await expect(base(source)).rejects.toThrow(
        new RegExp(`"${source}" is neither .*: git fetch origin BRANCH$`),
      );
    expect(existsSync(victim)).toBe(false);
  });

  it("is refused when the ref has a folder at that path, or a link that leads to no file", async () => {
    repository.file("folder/in-it", "text");
    repository.link("circle", "circle");
    repository.link("root", "/rules.json");
    repository.link("to-folder", "shop");
    repository.commit();
    for (const name of ["folder", "circle", "root", "to-folder"]) {
      rmSync(join(repository.path, name), { recursive: true });
      const path = repository.file(name, { rules: [] });
      await expect(base("HEAD", path)).rejects.toThrow(
        / is not a file at \w{10}\.$/,
      );
      rmSync(path);
    }
  });

  it("is the file that a link led to at the ref", async () => {
    repository.link("shop/link", "../middle");
    repository.link("middle", "rules.json");
    repository.link("dangling", "nowhere");
    repository.commit();
    const link = join(repository.path, "shop/link");
    expect(await namesAt("HEAD", link)).toEqual(["phones"]);
    // It leads elsewhere now.
    rmSync(link);
    repository.link("shop/link", "rules.json");
    expect(await namesAt("HEAD", link)).toEqual(["phones"]);
    expect(await namesAt("HEAD:shop/link")).toEqual(["phones"]);
    const dangling = join(repository.path, "dangling");
    expect(await base("HEAD", dangling)).toMatchObject({ isMissing: true });
  });

  it("is no valid file if git has other bytes than UTF-8, and none of the path after REF:", async () => {
    const path = join(repository.path, "latin.yaml");
    writeFileSync(path, Buffer.from("rules: [] # caf\xe9\n", "latin1"));
    repository.commit();
    for (const ref of ["HEAD", "HEAD:latin.yaml"])
      expect(await namesAt(ref, path)).toMatch(
        /^latin\.yaml (?:at|of) HEAD at \w+ is not a valid rule file: line 1: this is not UTF-8/,
      );
    await expect(base("HEAD:")).rejects.toThrow('There is no file "" at HEAD.');
    await expect(base(":rules.json")).rejects.toThrow(/fetch origin BRANCH$/);
  });

  it("is not looked up in a repository that git refuses to read, and git's advice is passed on", async () => {
    vi.stubEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    vi.stubEnv("LC_ALL", "de_DE.UTF-8");
    const refusal =
      /dubious ownership .* git config --global --add safe\.directory/;
    await expect(base("main")).rejects.toThrow(refusal);
    await expect(GitRepository.ifAny(rules)).rejects.toThrow(refusal);
  });

  it("is looked up in the file's repository, even inside a git hook of another repository", async () => {
    vi.stubEnv("GIT_DIR", ".git");
    vi.stubEnv("GIT_WORK_TREE", "/");
    vi.stubEnv("GIT_INDEX_FILE", "index");
    expect(await namesAt("v1")).toEqual(["crawlers"]);
    expect(await pathInRepository(rules)).toBe("shop/rules.json");
  });

  it("cannot be a ref without git", async () => {
    vi.stubEnv("PATH", "/nowhere");
    await expect(base("v1")).rejects.toThrow(
      "git cannot be started: it is not on the PATH",
    );
  });
});

describe("the base in git", () => {
  let branch: ReviewRepository;
  let file: string;

  const BOTH = { rules: [CRAWLERS, PHONES] };

  /** A branch with a commit of the change. main has newer commits than the branch's start. */
  beforeEach(() => {
    for (const name of TARGET_BRANCH) vi.stubEnv(name, "");
    branch = new ReviewRepository();
    file = branch.file("rules.json", { rules: [CRAWLERS] });
    branch.commit();
    branch.git("checkout", "--quiet", "-b", "change");
    branch.file("README.md", "A change.");
    branch.commit();
    branch.git("checkout", "--quiet", "main");
    branch.file("rules.json", BOTH);
    branch.commit();
    branch.git("checkout", "--quiet", "change");
  });

  afterEach(() => branch?.close());

  const parting = () => branch.git("merge-base", "main", "change").slice(0, 10);

  it.each([undefined, "main"])(
    "is the commit where the branch started, even when main has newer commits: %s",
    async (name) => {
      expect(await base(name, file)).toEqual({
        assumeNotSent: [],
        name: `main at ${parting()}`,
        tests: 0,
        rules: [expect.objectContaining({ name: "crawlers" }) as unknown],
      });
    },
  );

  it("is exactly the file named by REF:PATH", async () => {
    const tip = branch.git("rev-parse", "main").slice(0, 10);
    expect(await base("main:rules.json", file)).toMatchObject({
      name: `rules.json of main at ${tip}`,
      rules: [{ name: "crawlers" }, { name: "phones" }],
    });
    await expect(base("main:shop/rules.json", file)).rejects.toSay(
      "review-base/no-such-file",
    );
  });

  it.each([
    ["committed", true],
    ["only staged", false],
  ])("follows a renamed and edited file, %s", async (_, isCommitted) => {
    const many = Array.from({ length: 9 }, (_, i) => ({
      ...CRAWLERS,
      name: `crawlers ${i}`,
    }));
    branch.file("old/rules.json", JSON.stringify({ rules: many }, null, 1));
    branch.commit();
    branch.git("branch", "--force", "main");
    mkdirSync(join(branch.path, "new"));
    branch.git("mv", "old/rules.json", "new/prod rules.json");
    const edited = branch.file(
      "new/prod rules.json",
      JSON.stringify({ rules: many.slice(1) }, null, 1),
    );
    if (isCommitted) branch.commit();
    branch.git("config", "diff.renames", "false");
    branch.git("config", "diff.relative", "true");
    const found = await base("main", edited);
    expect(found).toMatchObject({ note: "renamed from old/rules.json" });
    expect("rules" in found && found.rules).toHaveLength(9);
    expect(found.isMissing).toBeUndefined();
  });

  it("is the target branch of the pipeline, and no other branch", async () => {
    branch.git("update-ref", "refs/remotes/origin/release", "change~1");
    for (const variable of TARGET_BRANCH) {
      vi.stubEnv(variable, "release");
      expect((await base(undefined, file)).name).toBe(
        `origin/release at ${parting()}`,
      );
      vi.stubEnv(variable, "hotfix");
      await expect(base(undefined, file)).rejects.toThrow(
        '"origin/hotfix" is neither a file nor a git ref',
      );
      vi.stubEnv(variable, "");
    }
  });

  it("is otherwise the first existing main branch", async () => {
    branch.git("branch", "--move", "main", "master");
    expect((await base(undefined, file)).name).toMatch(/^master at /);
    branch.git("update-ref", "refs/remotes/origin/main", "master");
    expect((await base(undefined, file)).name).toMatch(/^origin\/main at /);
    branch.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/heads/change");
    branch.file("rules.json", BOTH);
    expect((await base(undefined, file)).name).toMatch(/^origin\/HEAD at /);
    branch.git("branch", "--move", "master", "trunk");
    branch.git("update-ref", "-d", "refs/remotes/origin/main");
    branch.git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD");
    await expect(base(undefined, file)).rejects.toSay(
      "review-base/no-main-branch",
    );
  });

  it("must be named on the main branch itself, unless the file was changed there", async () => {
    branch.git("checkout", "--quiet", "main");
    await expect(base(undefined, file)).rejects.toSay(
      "review-base/nothing-to-compare",
    );
    // A checkout on Windows turns the ends of lines, which is no change.
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replaceAll("\n", "\r\n"));
    await expect(base(undefined, file)).rejects.toThrow("nothing to compare");
    branch.file("rules.json", { rules: [] });
    expect(await namesAt(undefined, file)).toEqual(["crawlers", "phones"]);
  });

  it("needs the whole history", async () => {
    const clone = new ReviewRepository();
    const refs = ["main:origin-main", "change:change"];
    const from = `file://${branch.path}`;
    clone.git("fetch", "--quiet", "--depth=1", from, ...refs);
    clone.git("checkout", "--quiet", "change");
    const cloned = join(clone.path, "rules.json");
    await expect(base("origin-main", cloned)).rejects.toSay(
      "review-base/part-of-the-history",
    );
    clone.close();
    branch.git("checkout", "--quiet", "--orphan", "other");
    branch.commit();
    await expect(base("main", file)).rejects.toSay(
      "review-base/no-commit-in-common",
    );
  });

  it("must be a file outside of git", async () => {
    const folder = mkdtempSync(join(tmpdir(), "devid-no-git-"));
    const path = join(folder, "rules.json");
    writeFileSync(path, JSON.stringify({ rules: [] }));
    await expect(base("main", path)).rejects.toThrow(
      `"main" is not a file, and as a git ref it cannot be looked up: ${path} is not in a git repository that can be read (fatal: not a git repository`,
    );
    await expect(base(undefined, path)).rejects.toThrow(
      "Name the base: a file, or live",
    );
    expect(await namesAt(path, path)).toEqual([]);
    await expect(pathInRepository(path)).rejects.toThrow("is not in a git");
    rmSync(folder, { recursive: true });
  });
});
