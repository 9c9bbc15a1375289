/** A part of a page that a reader runs, or that instructs the test. */
interface Piece {
  readonly line: number
  readonly comment?: string
  readonly fence?: { readonly language: string; readonly text: string }
}

/** Commands of a page, and how the test runs them. */
export interface Step {
  /** Line of the page on which they begin, from 1. */
  readonly line: number
  readonly commands: string
  /** Why they are not run; undefined if they are run. */
  readonly notHere?: string
  /** Whether they run until the page ends, or until other lasting commands replace them. */
  readonly isLasting: boolean
  /** Whether they must fail. The page shows their error message. */
  readonly isFailing: boolean
  /** The output that the page shows. */
  readonly printed?: string
}

const commandLanguage = 'sh'
const outputLanguage = 'text'
const lasting = 'keeps running'
const failing = 'fails'
/** Other languages of command blocks. Their blocks would not be run. */
const likeCommands = ['bash', 'shell', 'console', 'zsh', 'terminal']

/**
 * Returns the commands of a page in their order (CONTRIBUTING.md, “Commands in the documentation are tested”).
 *
 * @throws Error if an instruction for the test is unknown, or precedes no commands.
 */
export function stepsOf(page: string): readonly Step[] {
  const steps: Step[] = []
  let signs: readonly string[] = []
  let shownBefore: string | undefined
  for (const { line, comment, fence } of piecesOf(page)) {
    if (comment !== undefined) {
      if (comment.startsWith('\n')) steps.push(stepOf(line + 1, comment.trim(), signs))
      signs = comment.startsWith('\n') ? [] : [...signs, comment.trim()]
    } else if (fence?.language === commandLanguage) {
      steps.push(stepOf(line + 1, fence.text, signs))
      signs = []
    } else if (fence?.language === outputLanguage) {
      if (shownBefore === undefined) throw new Error(`Line ${line} shows what no command has printed.`)
      // The output of a program in another language belongs to the test of that program.
      const last = shownBefore === commandLanguage ? steps.pop() : undefined
      if (last) steps.push({ ...last, printed: fence.text })
    } else if (fence && likeCommands.includes(fence.language)) {
      throw new Error(`Line ${line}: commands stand in a block of ${commandLanguage}, not of ${fence.language}.`)
    }
    shownBefore = fence?.language ?? shownBefore
  }
  if (signs.length > 0) throw new Error(`Nothing follows “${signs.join(', ')}”.`)
  return steps
}

function stepOf(line: number, commands: string, signs: readonly string[]): Step {
  const reasons = signs.flatMap((sign) => /^not here, because (\S.*)$/s.exec(sign)?.[1] ?? [])
  const unknown = signs.filter((sign) => sign !== lasting && sign !== failing)
  if (unknown.length > reasons.length) throw new Error(`Line ${line}: “${unknown.join(', ')}” is not known.`)
  const step = { line, commands, isLasting: signs.includes(lasting), isFailing: signs.includes(failing) }
  return reasons[0] === undefined ? step : { ...step, notHere: reasons[0] }
}

/** Returns comments for the test and fenced blocks, in their order. */
function piecesOf(page: string): readonly Piece[] {
  const pattern = /^<!-- run:(.*?)-->|^ *```([^\n]*)\n(.*?)^ *```$/gms
  return [...page.matchAll(pattern)].map((match) => {
    const [, comment, language = '', text = ''] = match
    const line = page.slice(0, match.index).split('\n').length
    return comment === undefined ? { line, fence: { language, text: text.trimEnd() } } : { line, comment }
  })
}

/**
 * Whether the output is as a page shows it: `…` matches any text in a line, and a line with only `…` matches any lines.
 * Empty lines do not count.
 */
export function isAsShown(printed: string, shown: string): boolean {
  const pattern = linesOf(shown)
    .map((line) => (line === '…' ? '(?:[^\\n]*\\n)*' : `${line.split('…').map(RegExp.escape).join('[^\\n]*')}\\n`))
    .join('')
  return new RegExp(`^${pattern}$`).test(
    linesOf(printed)
      .map((line) => `${line}\n`)
      .join(''),
  )
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
}
