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
