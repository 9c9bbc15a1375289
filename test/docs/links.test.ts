import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/*.md'], { cwd: root })
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')
/** A page without its examples, in which brackets have other meanings. */
const proseOf = (page: string) =>
  textOf(page)
    .replaceAll(/^ *```.*?^ *```$/gms, '')
    .replaceAll(/`[^`\n]*`/g, '')

/** The anchors of headings: lower case, without punctuation, blanks as dashes; and explicit anchors. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...textOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading)
  const written = [...textOf(page).matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, anchor = '']) => anchor)
  const named = headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set([...named, ...written])
}

test('every link between pages leads to a page, and to a heading that it has', () => {
  const broken = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(
      ([link, path = '', anchor]) => {
        const target = path === '' ? page : relative(root, join(root, dirname(page), decodeURI(path)))
        if (!existsSync(join(root, target))) return [`${page}: ${link}`]
        return anchor === undefined || anchorsOf(target).has(anchor) ? [] : [`${page}: ${link}`]
      },
    ),
  )

  assert.deepEqual(broken, [])
})

test('every page is found from the contents', () => {
  const found = new Set<string>()
  const follow = (page: string): void => {
    if (found.has(page) || !pages.includes(page)) return
    found.add(page)
    for (const [, path = ''] of proseOf(page).matchAll(/\]\(([^)#\s]+\.md|[^)#\s]*\/)(?:#[^)\s]*)?\)/g)) {
      const target = relative(root, join(root, dirname(page), path))
      if (path.endsWith('/')) for (const other of pages) if (dirname(other) === target) follow(other)
      follow(target)
    }
  }
  follow('README.md')

  assert.deepEqual(
    pages.filter((page) => !found.has(page)),
    [],
  )
})
