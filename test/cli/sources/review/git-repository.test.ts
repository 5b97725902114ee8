import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { GitRepository } from "../../../../cli/src/sources/review/git-repository";
import { ReviewRepository } from "./review-repository";

let repository: ReviewRepository;
beforeAll(() => {
  repository = new ReviewRepository();
});
afterAll(() => repository.close());

it("a file that is edited, or unknown to git, belongs to no commit", async () => {
  const path = repository.file("shop/rules.yaml", "rules: []\n");
  const commit = async () => (await GitRepository.around(path)).commitOfFile();
  expect(await commit()).toBeUndefined();
  repository.commit();
  const first = repository.git("rev-parse", "HEAD").trim();
  expect(await commit()).toBe(first);
  repository.file("shop/rules.yaml", "rules: [] # edited\n");
  expect(await commit()).toBeUndefined();
  repository.commit();
  expect(await commit()).toBe(repository.git("rev-parse", "HEAD").trim());
});

// A pull request can bring such a folder. What its config names would run with the rights of the reader.
it("a folder that is a repository of its own, without .git, is not read, and its config runs nothing", async () => {
  const path = repository.file("bare/rules.yaml", "rules: []\n");
  const ran = join(repository.path, "ran");
  repository.commit();
  repository.file("bare/HEAD", "ref: refs/heads/main\n");
  for (const name of ["objects", "refs"])
    mkdirSync(join(repository.path, "bare", name));
  repository.file(
    "bare/config",
    `[core]\n\tbare = false\n\tworktree = "${repository.path}"\n\tfsmonitor = "touch '${ran}'; false"\n`,
  );
  await expect(
    GitRepository.ifAny(path).then((found) => found?.commitOfFile()),
  ).rejects.toThrow(/cannot use bare repository/);
  expect(existsSync(ran)).toBe(false);
});
