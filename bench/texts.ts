import { randomFrom } from './dataset.ts'

// Texts of made-up events, in both languages: words drawn from these lists, the same at every run.

const words = {
  en: `market garden festival concert winter evening river library children workshop dance painting theatre story
    science walk bridge harbour lantern orchestra choir kitchen harvest spring light museum school neighbours square
    puppet circus film night morning open air classic young local guided tour reading poetry clay bicycle`,
  'fr-CA': `marché jardin fête concert hiver soirée rivière bibliothèque enfants atelier danse peinture théâtre conte
    science promenade pont havre lanterne orchestre chœur cuisine récolte printemps lumière musée école voisins place
    marionnette cirque film nuit matin plein air classique jeune québécois guidée visite lecture poésie argile vélo`,
} as const

type BenchLanguage = keyof typeof words
const lists = { en: words.en.split(/\s+/), 'fr-CA': words['fr-CA'].split(/\s+/) } as const

/** Two words, those of this number. */
export function wordsOf(language: BenchLanguage, number: number): string {
  const list = lists[language]
  return `${list[number % list.length]} ${list[(number * 7 + 3) % list.length]}`
}

/** Title, content and excerpt of one event: three paragraphs of some hundred words in all. */
export function describe(language: BenchLanguage, number: number) {
  const random = randomFrom(number * 2 + (language === 'en' ? 0 : 1))
  const list = lists[language]
  const word = () => list[Math.floor(random() * list.length)] ?? ''
  const sentence = (length: number) => `${Array.from({ length }, word).join(' ')}.`
  const paragraph = () => Array.from({ length: 3 }, () => sentence(8 + Math.floor(random() * 8))).join(' ')
  return {
    title: `${word()} ${word()} ${word()}`,
    content: [paragraph(), paragraph(), paragraph()].map((text) => `<p>${text}</p>`).join('\n'),
    excerpt: sentence(14),
  }
}
