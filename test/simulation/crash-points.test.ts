import { testCrashPoints } from "./crash-suite";

// A sample; `npm run test:deep` stops each story at all of its points.
testCrashPoints(80);
