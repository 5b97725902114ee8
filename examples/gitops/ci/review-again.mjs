// Reviews the open pull requests again whose base has moved: those that have a
// review of the pipeline's own.
//
//   node ci/review-again.mjs
import { codeHost, plainly } from "./code-host.mjs";

await plainly(async () => {
  const host = codeHost();
  const author = await host.author();
  for (const request of await host.openRequests()) {
    if (!(await isReviewed(request))) continue;
    const isBegun = await host.reviewAgain(request);
    console.log(
      isBegun
        ? `The review of ${request} is begun again.`
        : `${request} comes from a fork, so its review is not begun again.`,
    );
  }

  async function isReviewed(request) {
    for (let page = 1; ; page += 1) {
      const some = await host.comments(request, page);
      const isOwn = (comment) =>
        host.authorOf(comment) === author &&
        comment.body.startsWith("<!-- devid-review:");
      if (some.some(isOwn)) return true;
      if (some.length < 100) return false;
    }
  }
});
