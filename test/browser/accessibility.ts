import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * The axe that belongs to its builder. The builder sends it twice for each reading, and not compressed, which takes longer
 * than the reading. So each document gets it once, from here.
 */
const axe = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)
const nothing = 'undefined'

/** A part of a page, and rules that do not apply to it. */
interface Part {
  readonly within?: string
  readonly without?: readonly string[]
}

/**
 * What axe finds on a page whose colours have settled: each violation of WCAG 2.2 AA or of a good practice, with its elements.
 *
 * A transition in a closed part of the page, such as a menu, never ends in Chromium, and is not waited for.
 *
 * No page has frames of other origins, for which axe would open a window, and only violations are described: both make a
 * reading four times faster.
 */
export async function violationsOf(page: Page, { within, without = [] }: Part = {}): Promise<readonly string[]> {
  await page.evaluate(`new Promise(requestAnimationFrame).then(() => Promise.allSettled(document.getAnimations()
    .filter(({ effect }) => Number.isFinite(effect.getComputedTiming().endTime) && effect.target.checkVisibility()).map(({ finished }) => finished)))`)
  for (const frame of page.frames()) {
    if (!(await frame.evaluate<boolean>("typeof axe === 'object'"))) await frame.evaluate(axe)
  }
  const reading = new AxeBuilder({ page, axeSource: nothing })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .withTags(rules)
  if (within) reading.include(within)
  if (without.length > 0) reading.disableRules([...without])
  const { violations } = await reading.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
}
