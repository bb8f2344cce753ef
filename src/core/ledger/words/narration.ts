import { cues } from './cues.ts';

/** What a model does next, or how it works; with a contrast it sounds like a choice, and is none. */
const WORKS =
  /(?:^|[,;—–-] |\b(?:so|and|then|now|but) )(?:(?:i|we)(?:['’]ll|['’]m| will| am| need to| have to)|let me|let['’]s try|now|next|first|then)(?: (?:now|also|then|just|first|next|going to|need to|be careful to|continue to))* (?:only )?(?:modify|updat|verify|check|inspect|read|pull|compar|wait|keep waiting|continu|captur|resolv|tell|send|turn|call|set up|tak(?:e|ing) (?:another|a |one )|assert|try|fix|renam|writ|creat|split|run|rerun|refresh|confirm|base|scope|map|look|search|test|debug|investigat|examin|replace (?:all|the entire|these|those|the pattern|the \S+ section))/i;
const WORKS_ELSEWHERE =
  /(?<!\p{L})(?:ich (?:prüfe|lese|schaue|aktualisiere|warte|teste|untersuche|suche|starte|führe)|(?:voy a |ahora )?(?:reviso|leo|compruebo|verifico|actualizo|espero|busco|ejecuto|pruebo) |je (?:vérifie|lis|regarde|teste|cherche|lance) |(?:vou |agora )?(?:verifico|leio|verificar|ler|testar|executar) )/iu;

/** A report of how things are or were, of a mistake and its repair. */
const REPORTS =
  /^[*_\s]*(?:(?:you['’]re |that['’]s )?right\b|there(?:['’]s| is| are| was)\b|it (?:is now|has|matches|runs|now|was)\b|one check\b|(?:the |a )?(?:simplest |real |only |actual )?fix (?:is|was|here)\b|(?:the )?(?:simplest|easiest|quickest) fix\b|the (?:linter|compiler|latest|tests?|test suite|parent|error|issue|problem|bug|simplify|helper|only remaining|agent|api|old|previous|original)\b|functions? that\b|since the `|depends on\b|both should\b)|deprecated in favou?r|\b(?:linter|compiler|formatter|vite|webpack|git|npm) (?:had |has )?(?:picked|chose|selected|replaced|optimized|switched)|(?<!\p{L})needs? to (?:be replaced|move|replace)\b/iu;

/** Two ways to work set against each other: `rather than guessing`. */
const INSTEAD_OF_DOING = /(?:instead of|rather than) (?:just |silently |blindly )?\p{L}{2,20}ing\b/iu;
/** What one decides about a product, not about the next step. */
const DECIDES = cues([
  'us(?:e|es|ing)|keep(?:ing)?|support(?:ing)?|remov(?:e|ing)|cut(?:ting)?|drop(?:ping|ped)?|stor(?:e|ing)|rais(?:e|ing)|exclud(?:e|ing)|adopt(?:ing|ed)?|stick(?:ing)?|build(?:ing)?|ship(?:ping)?|treat(?:ing)?|go(?:ing)? (?:with|for)|pick(?:ed)?|cho(?:se|ose|osing)|decid(?:e|ed|ing)|opted|settled|agreed|took|take|went',
]);
/** A branch is checked out, or the files of a task are moved to. */
const CHECKS_OUT =
  /\b(?:switch|change|move|go|jump)(?:ed|ing)? (?:back |over )?to (?:the )?(?:\S+ ){0,3}?(?:branch|worktree|tab|directory|folder)\b|\b(?:switch|go|checkout) (?:back )?to (?:main|master|develop|trunk)\b/i;

/** True for a model's sentence that tells its next step or what it saw: it decides nothing, whatever it sets against what. */
export function narrates(sentence: string): boolean {
  if (/[:：]$/.test(sentence)) return true;
  if (WORKS.test(sentence) || REPORTS.test(sentence) || CHECKS_OUT.test(sentence) || WORKS_ELSEWHERE.test(sentence))
    return true;
  return INSTEAD_OF_DOING.test(sentence) && !DECIDES.test(sentence);
}

/** True for a human's sentence that only sends the model elsewhere. */
export function sendsElsewhere(sentence: string): boolean {
  return CHECKS_OUT.test(sentence);
}
