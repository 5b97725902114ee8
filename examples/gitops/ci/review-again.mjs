// Starts the reviews of open pull requests again after their base has changed. Only
// pull requests with a review of this pipeline count.
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
