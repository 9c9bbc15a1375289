// Bundles the visual editor of the desk for browsers, with the libraries that it needs:
//   npm run bundle
import { bundleDesk } from './bundle.desk.ts'

await bundleDesk()
