import { randomFrom } from './random.ts'

// Texts of fictional events in both languages, the same at every run. The frequency of words is that of a real
// language: the first words are in nearly every text, the last ones in a handful (Zipf's law).

type BenchLanguage = 'en' | 'fr-CA'

const wordCount = 6000
const syllables = {
  en: [
    'con',
    'mar',
    'ther',
    'ing',
    'lo',
    'dan',
    'sing',
    'er',
    'pa',
    'tel',
    'wor',
    'gar',
    'ket',
    'sho',
    'lin',
    'burn',
    'ast',
  ],
  'fr-CA': [
    'qué',
    'ther',
    'con',
    'mar',
    'lè',
    'dan',
    'çois',
    'eau',
    'pa',
    'tel',
    'fête',
    'jar',
    'hiv',
    'cho',
    'lin',
    'œuv',
    'ant',
  ],
} as const

/** Search words, placed among the others by their frequency. */
const known = {
  en: [
    ...[
      'the',
      'and',
      'event',
      'with',
      'from',
      'music',
      'festival',
      'concert',
      'children',
      'workshop',
      'dance',
      'theatre',
    ],
    ...['library', 'garden', 'winter', 'market', 'exhibition', 'orchestra', 'lantern', 'bicycle', 'marionette'],
  ],
  'fr-CA': [
    ...[
      'les',
      'des',
      'avec',
      'pour',
      'soirée',
      'musique',
      'festival',
      'concert',
      'enfants',
      'atelier',
      'danse',
      'théâtre',
    ],
    ...['bibliothèque', 'jardin', 'hiver', 'marché', 'exposition', 'orchestre', 'lanterne', 'vélo', 'marionnette'],
  ],
} as const

const words = { en: wordList('en'), 'fr-CA': wordList('fr-CA') } as const
const weights = cumulated()

function wordList(language: BenchLanguage): readonly string[] {
  const random = randomFrom(language === 'en' ? 7 : 11)
  const parts = syllables[language]
  const made = new Set<string>(known[language].slice(0, 4))
  // The distance between the known words grows.
  const places = new Map(known[language].slice(4).map((word, place) => [Math.round(6 * 1.4 ** place), word]))
  while (made.size < wordCount) {
    const word = places.get(made.size)
    const length = 2 + Math.floor(random() * 3)
    made.add(word ?? Array.from({ length }, () => parts[Math.floor(random() * parts.length)]).join(''))
    if (word) places.delete(made.size - 1)
  }
  return [...made]
}

function cumulated(): Float64Array {
  const sums = new Float64Array(wordCount)
  let sum = 0
  for (let rank = 0; rank < wordCount; rank += 1) {
    sum += 1 / (rank + 3)
    sums[rank] = sum
  }
  return sums
}

function wordAt(language: BenchLanguage, draw: number): string {
  const sought = draw * (weights.at(-1) ?? 1)
  let [low, high] = [0, wordCount - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((weights[middle] ?? 0) < sought) low = middle + 1
    else high = middle
  }
  return words[language][low] ?? ''
}

/** Returns search words, from those of many events to those of a few. */
export function searchedWords(): readonly string[] {
  return [
    ...known.en.slice(5),
    ...known['fr-CA'].slice(5),
    ...words.en.slice(1000, 1040),
    ...words['fr-CA'].slice(3000, 3040),
  ]
}

/** Returns the two words of this number. */
export function wordsOf(language: BenchLanguage, number: number): string {
  const list = words[language]
  return `${list[(number * 13) % wordCount]} ${list[(number * 7 + 3) % wordCount]}`
}

/** Returns the title, content and excerpt of one event: three paragraphs of several hundred words in all. */
export function describe(language: BenchLanguage, number: number) {
  const random = randomFrom(number * 2 + (language === 'en' ? 0 : 1))
  const word = () => wordAt(language, random())
  const sentence = (length: number) => `${Array.from({ length }, word).join(' ')}.`
  const paragraph = () => Array.from({ length: 3 }, () => sentence(8 + Math.floor(random() * 8))).join(' ')
  return {
    title: `${word()} ${word()} ${word()}`,
    content: [paragraph(), paragraph(), paragraph()].map((text) => `<p>${text}</p>`).join('\n'),
    excerpt: sentence(14),
  }
}
