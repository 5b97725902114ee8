import { testRandomStories } from "./random-suite";

// A sample; `npm run test:deep` plays more.
testRandomStories(30);
