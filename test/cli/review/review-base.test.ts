import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  it,
  vi,
} from "vitest";
import { pathInRepository } from "../../../cli/src/review/git-file";
import { reviewBase } from "../../../cli/src/review/review-base";
import { CRAWLERS, PHONES } from "../rules-diff-folder";
import { ReviewRepository } from "./review-repository";

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
afterEach(() => vi.unstubAllEnvs());

const base = (source: string, path = rules) => reviewBase(source, path, {});
const namesAt = async (source: string, path = rules) => {
  const found = await base(source, path);
  return "rules" in found ? found.rules.map(({ name }) => name) : found.absent;
};

describe("the base of a review", () => {
  it.each(["main", "v1", "HEAD", "main@{0}"])(
    "may be the git ref %s, where the file has its own path",
    async (ref) => {
      expect(await namesAt(ref)).toEqual(["crawlers"]);
      expect(await namesAt(ref, join(repository.path, "rules.json"))).toEqual([
        "phones",
      ]);
    },
  );

  it("is nothing, and says so, when the ref does not have the file", async () => {
    const names = ["new [1].json", "*.json", ":(glob)**", "rules.json "];
    for (const name of names)
      expect(await base("main", repository.file(name, "x"))).toEqual({
        name: "main",
        rules: [],
        note: "the file is not there at main, so it is compared with no rules",
      });
  });

  it("is the file of a name before a ref, but a ref before a folder", async () => {
    const file = repository.file("other.json", { rules: [PHONES] });
    expect(await namesAt(file)).toEqual(["phones"]);
    repository.git("branch", "shop");
    vi.spyOn(process, "cwd").mockReturnValue(repository.path);
    expect(await namesAt("shop")).toEqual(["crawlers"]);
    vi.restoreAllMocks();
  });

  it("may be invalid, and says where", async () => {
    const broken = repository.file("broken.json", { rules: [{ name: "x" }] });
    expect(await namesAt(broken)).toBe(
      `${broken} is not a valid rule file: line 1: rules[0].expression: is required`,
    );
    repository.commit();
    repository.file("broken.json", { rules: [] });
    expect(await namesAt("HEAD", broken)).toBe(
      `${broken} at HEAD is not a valid rule file: line 1: rules[0].expression: is required`,
    );
  });

  it.each([
    "nowhere",
    "HEAD:shop/rules.json",
    "",
    "main --",
    "main^{tree}",
    "main..v1",
  ])("is refused when it is neither: %j", async (source) => {
    await expect(base(source)).rejects.toThrow(
      `"${source}" is neither a file nor a git ref of the repository of ${rules}.`,
    );
  });

  it("is never taken for an option of git", async () => {
    const victim = join(repository.path, "victim");
    for (const source of [`--output=${victim}`, "--help", "-n1", "--all"])
      await expect(base(source)).rejects.toThrow(
        new RegExp(`"${source}" is neither .*: git fetch origin BRANCH$`),
      );
    expect(existsSync(victim)).toBe(false);
  });

  it("is refused where the ref has a folder, or a link, of that name", async () => {
    repository.file("folder/in-it", "text");
    repository.link("link", "rules.json");
    repository.commit();
    for (const name of ["folder", "link"]) {
      rmSync(join(repository.path, name), { recursive: true });
      const path = repository.file(name, { rules: [] });
      await expect(base("HEAD", path)).rejects.toThrow(
        `${name} is at HEAD something else than a file.`,
      );
    }
  });

  it("takes a repository to look up a ref", async () => {
    const folder = mkdtempSync(join(tmpdir(), "devid-no-git-"));
    const path = join(folder, "rules.json");
    writeFileSync(path, JSON.stringify({ rules: [] }));
    await expect(base("main", path)).rejects.toThrow(
      `"main" is no file, and as a git ref it cannot be looked up: ${path} is in no git repository (fatal: not a git repository`,
    );
    expect(await namesAt(path, path)).toEqual([]);
    expect(await pathInRepository(path)).toBeUndefined();
    rmSync(folder, { recursive: true });
  });

  it("is looked up in the file's repository, also within a git hook of another", async () => {
    vi.stubEnv("GIT_DIR", ".git");
    vi.stubEnv("GIT_WORK_TREE", "/");
    vi.stubEnv("GIT_INDEX_FILE", "index");
    expect(await namesAt("v1")).toEqual(["crawlers"]);
    expect(await pathInRepository(rules)).toBe("shop/rules.json");
  });

  it("cannot be a ref without git", async () => {
    vi.stubEnv("PATH", "/nowhere");
    await expect(base("v1")).rejects.toThrow("spawn git ENOENT");
  });
});
