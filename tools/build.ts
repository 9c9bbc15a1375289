// Builds the published files: src as plain JavaScript with its types, in dist, beside the files that it reads.
//   npm run build
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleDesk } from './bundle.desk.ts'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

await bundleDesk()
// Remains of an earlier build would be published too.
rmSync('dist', { recursive: true, force: true })
// Each further checker of the compiler would derive most types again.
const compile = ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--checkers', '1']
execFileSync(process.execPath, compile, { stdio: 'inherit' })
const copied = globSync('src/**/*.*', {
  exclude: ['**/*.ts', '**/golden/**', 'src/floors.json', 'src/desk/rich/browser/**'],
})
// The types of JavaScript files, which the compiler reads but does not write.
for (const file of [...copied, ...globSync('src/**/*.d.ts')]) {
  cpSync(file, `dist/${relative('src', file)}`)
}
