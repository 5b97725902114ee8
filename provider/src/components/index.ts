export { RotatingApiKey, type RotatingApiKeyArgs } from "./rotating-api-key";
