"""The ranking in its plainest form, for test_scoring.py: full scans, nothing pruned or kept.

Written from SPEC 3 and from what `SearchConfig` says of each number. It shares with vividmem only
`Question`, `SearchConfig`, the list `ASKS_NOTHING` and the table of related words. Scores closer
than 1e-9 count as equal; the younger document, the one with the higher id, then comes first.
"""

import math
from collections import Counter
from dataclasses import dataclass
from statistics import fmean, pstdev

from vividmem import ASKS_NOTHING, related

EVEN, MIXED = 0.6, 0.9  # coefficient of variation of lengths: below even, above mixed
GROUP_B = 0.75  # length normalisation of episodes
DIGITS = 9  # of scores: what differs less is equal
RARE_SHARE, RARE_LEAST = 0.05, 3  # a term is rare up to this share, or this number, of documents
CHAIN_TERMS, CHAIN_POSTINGS = 8, 32  # rarest terms followed, youngest documents of each
WIDENED_POSTINGS = 128  # youngest documents to which a word of widening adds
TOLD_BY = 5  # best documents that tell whether related words are needed
ABOUT = "@ "  # marks the terms of whom a document is about


@dataclass(frozen=True)
class Doc:
    """What the index knows of a document."""

    terms: tuple[str, ...]
    group: int = 0
    asks: bool = False


@dataclass(frozen=True)
class Hit:
    doc: int
    score: float
    hop: int = 0
    via: int | None = None


def best_first(scores):
    """The items of *scores*, best first, the younger first where they are equal."""
    return sorted(scores.items(), key=lambda item: (-round(item[1], DIGITS), -item[0]))


def windows(row, size):
    return {tuple(row[at : at + size]) for at in range(len(row) - size + 1)}


class Corpus:
    """Documents by id, and the ranking of them; *given*: groups whose bounds are known."""

    def __init__(self, docs, cfg, given=()):
        self.docs = {doc: row for doc, row in docs.items() if row.terms}
        self.cfg, self.given = cfg, set(given)
        self.near = {}  # query words to their related ones and how close they are, where needed
        lengths = [len(row.terms) for row in self.docs.values()] or [1]
        self.mean = fmean(lengths)
        share = (pstdev(lengths) / self.mean - EVEN) / (MIXED - EVEN)
        self.b = cfg.b_short + (cfg.b_mixed - cfg.b_short) * min(1.0, max(0.0, share))
        self.held = {doc: set(row.terms) for doc, row in self.docs.items()}
        self.frequencies = Counter(term for held in self.held.values() for term in held)

    def idf(self, term):
        frequency = self.frequencies[term]
        return math.log(1 + (len(self.docs) - frequency + 0.5) / (frequency + 0.5))

    def holders(self, term):
        return sorted(doc for doc, held in self.held.items() if term in held)

    def newest(self, term, count):
        return self.holders(term)[max(0, self.frequencies[term] - count) :]

    def bm25(self, weights, doc):
        row, k1 = self.docs[doc], self.cfg.k1
        counts = Counter(row.terms)
        norm = k1 * (1 - self.b + self.b * len(row.terms) / self.mean)
        gains = [
            weight * self.idf(term) * (k1 + 1) * counts[term] / (counts[term] + norm)
            for term, weight in weights.items()
            if counts[term]
        ]
        return round(sum(gains), DIGITS)

    def top(self, weights, count, allowed, among=None):
        """The *count* best of all documents, or of those *among*, under *weights*."""
        scores = {
            doc: self.bm25(weights, doc)
            for doc, held in self.held.items()
            if (allowed is None or doc in allowed)
            and (not held.isdisjoint(weights) if among is None else doc in among)
        }
        return dict(best_first(scores)[:count])

    def starting_with(self, prefix):
        """The other terms that begin like *prefix*; for one wide character the pairs with it."""
        cfg = self.cfg
        least = cfg.prefix_ascii if prefix.isascii() else cfg.prefix_length
        if len(prefix) == 1 and not prefix.isascii():
            found = [t for t in self.frequencies if len(t) == 2 and prefix in t]
        elif not prefix.isalpha() or len(prefix) < least:
            found = []
        else:
            found = [t for t in self.frequencies if t.startswith(prefix) and t != prefix]
        found.sort(key=lambda term: (-self.frequencies[term], term))
        return found[: cfg.prefix_width]

    def direct_weights(self, question):
        cfg = self.cfg
        weights = dict.fromkeys(question.bridges, cfg.bridge_weight)
        for row in self.near.values():
            for term, close in row.items():
                weights[term] = max(weights.get(term, 0.0), cfg.related_weight * close)
        for term in question.terms:
            if not self.frequencies[term]:
                weights.update(dict.fromkeys(self.starting_with(term), cfg.prefix_weight))
        for term in question.terms:
            weights[term] = cfg.mention_weight if term in question.names else 1.0
        weights.update({ABOUT + term: cfg.name_weight for term in question.names})
        return weights

    def needs_related(self, question, first):
        """Whether none of the *first* documents holds much of the query."""
        best = (self.coverage(question, doc) for doc in list(first)[:TOLD_BY])
        return max(best, default=0.0) < self.cfg.related_below

    def related(self, question):
        """The words related to those of the query; how close they are falls with their place."""
        return {
            term: {
                other: 1 / math.sqrt(place)
                for place, other in enumerate(related(term), 1)
                if self.frequencies[other]
            }
            for term in question.terms
            if term not in question.names and term not in ASKS_NOTHING
        }

    def told(self, question, doc):
        """The terms of *doc*; the name of whom it is about counts as held."""
        return self.held[doc] | {n for n in question.names if ABOUT + n in self.held[doc]}

    def enough(self, question, doc):
        """Whether *doc* can be an answer: it holds enough of the query, or two of its words."""
        both = self.told(question, doc).intersection(question.terms)
        related_ = {term for row in self.near.values() for term in row}
        own = both or (self.direct_weights(question).keys() - related_) & self.told(question, doc)
        floor = self.cfg.coverage_floor if own else self.cfg.related_floor
        return self.coverage(question, doc) >= floor or len(both) >= 2

    def coverage(self, question, doc):
        """The share of the query's information that *doc* holds."""
        held, asked, found = self.told(question, doc), 0.0, 0.0
        for term in set(question.terms):
            asked += self.idf(term)
            if term in held:
                found += self.idf(term)
            elif held.intersection(self.starting_with(term)):
                found += self.cfg.prefix_weight * self.idf(term)
            if term not in held:
                near = self.near.get(term, {})
                closest = max((near[other] for other in held & near.keys()), default=0.0)
                found += self.cfg.related_held * closest * self.idf(term)
        if held.intersection(question.bridges):
            found = max(found, self.cfg.bridge_weight * asked)
        return found / asked if asked else 0.0

    def companions(self, docs, direct, count, weight):
        """The terms that most mark *docs* and are not asked for, with weights up to *weight*."""
        docs = set(docs)
        shared = Counter(term for doc in docs for term in self.held[doc])
        marks = {
            term: number * self.idf(term)
            for term, number in shared.items()
            if number >= min(2, len(docs)) and term not in direct and not term.startswith(ABOUT)
        }
        best = sorted(marks, key=lambda term: (-marks[term], term))[:count]
        return {term: weight * marks[term] / marks[best[0]] for term in best}

    def widening(self, direct, first):
        """Words that keep company with those of the query; what the best hits say goes first."""
        cfg = self.cfg
        best = list(first)[: cfg.feedback_documents]
        feedback = self.companions(best, direct, cfg.feedback_terms, cfg.feedback_weight)
        known = [term for term in direct if self.frequencies[term]]
        rarest = sorted(known, key=lambda term: (self.frequencies[term], term))[:3]
        each = cfg.company_documents // 3
        near = [doc for term in rarest for doc in self.newest(term, each)]
        company = self.companions(near, direct, cfg.company_terms, cfg.company_weight)
        return {**company, **feedback}

    def gain(self, added, doc):
        """What widening adds to *doc*: of each word once, to the newest documents that hold it."""
        near = [term for term in added if doc in self.newest(term, WIDENED_POSTINGS)]
        k1, length = self.cfg.k1, len(self.docs[doc].terms)
        norm = k1 * (1 - self.b + self.b * length / self.mean)
        return sum(added[term] * self.idf(term) * (k1 + 1) / (1 + norm) for term in near)

    def lift(self, question, doc):
        """What shared runs of words add to the word score."""
        for size, lift in ((3, self.cfg.trigram_lift), (2, self.cfg.bigram_lift)):
            if windows(question.terms, size) & windows(self.docs[doc].terms, size):
                return lift
        return 0.0

    def members(self, group):
        return sorted(doc for doc, row in self.docs.items() if group and row.group == group)

    def episode_scores(self, weights):
        """BM25 over episodes, each one document; too common words are left out."""
        k1, widest = self.cfg.k1, max(128, len(self.docs) // 128)
        texts = {}
        for doc in sorted(self.docs):
            if self.docs[doc].group:
                texts.setdefault(self.docs[doc].group, []).extend(self.docs[doc].terms)
        counts = {group: Counter(text) for group, text in texts.items()}
        mean = fmean(map(len, texts.values())) if texts else 1.0
        scores = {}
        for term, weight in weights.items():
            if self.frequencies[term] > widest:
                continue
            holding = [group for group in counts if counts[group][term]]
            idf = math.log(1 + (len(texts) - len(holding) + 0.5) / (len(holding) + 0.5))
            for group in holding:
                norm = k1 * (1 - GROUP_B + GROUP_B * len(texts[group]) / mean)
                count = counts[group][term]
                gain = weight * idf * (k1 + 1) * count / (count + norm)
                scores[group] = scores.get(group, 0.0) + gain
        return scores

    def episode_shares(self, direct, candidates):
        """What the episodes of *candidates* lend: a share of the best of them."""
        wanted = {self.docs[doc].group for doc in candidates}
        scores = {g: s for g, s in self.episode_scores(direct).items() if g in wanted}
        best = max(scores.values(), default=1.0)
        return {
            group: self.cfg.episode_weight
            * (score / best)
            * (1 - len(self.members(group)) / len(self.docs))
            for group, score in scores.items()
        }

    def beside(self, lender):
        """The documents up to two steps away in the episode, with the share *lender* lends."""
        members = self.members(self.docs[lender].group)
        near = self.cfg.neighbour_weight
        found = {}
        for doc in members:
            step = members.index(doc) - members.index(lender)
            if abs(step) == 1:
                answers = step == 1 and self.docs[lender].asks
                found[doc] = near * (self.cfg.answer_gain if answers else 1.0)
            elif abs(step) == 2:
                found[doc] = near * self.cfg.second_neighbour
        return found

    def telling(self, question):
        """What the query brings that is neither a name nor asks for nothing in particular."""
        names = set(question.names) | {ABOUT + name for name in question.names} | ASKS_NOTHING
        known = {term for term in self.direct_weights(question) if self.frequencies[term]} - names
        return known or set(question.terms) - names

    def speaks(self, question, doc):
        """Whether a telling word of the query itself is in *doc*."""
        return bool(self.telling(question) & self.held[doc])

    def stands(self, question, added, doc):
        """Whether more than a name speaks for *doc*, where the query says more than names."""
        if self.docs[doc].group in self.given or self.speaks(question, doc):
            return True
        enough = added if self.telling(question) else self.direct_weights(question)
        return bool(enough.keys() & self.held[doc])

    def first(self, question, allowed):
        """The weights of what the query brings, with related words where needed, and the best."""
        self.near = {}
        first = self.top(self.direct_weights(question), self.cfg.candidates, allowed)
        if self.needs_related(question, first):
            self.near = self.related(question)
        direct = self.direct_weights(question)
        return direct, self.top(direct, self.cfg.candidates, allowed)

    def direct_hits(self, question, limit, allowed=None, lifted=()):
        """The hits that score by themselves, best first, and how they came about."""
        cfg = self.cfg
        direct, first = self.first(question, allowed)
        best = next(iter(first), None)
        told = best is not None and allowed is not None and self.speaks(question, best)
        if best is None or not (told or self.enough(question, best)):
            return []
        thin = sum(self.speaks(question, doc) for doc in first) < cfg.widen_below
        added = self.widening(direct, first) if thin else {}
        near = {doc for term in added for doc in self.newest(term, cfg.widened_documents)}
        if allowed is not None:
            near &= set(allowed)
        score = {doc: self.bm25(direct, doc) + self.gain(added, doc) for doc in self.docs}
        words = dict(best_first({doc: score[doc] for doc in near.union(first)})[: cfg.candidates])
        lenders = list(words)[: cfg.lenders]
        for doc in list(words)[: cfg.phrase_documents]:
            words[doc] *= 1 + self.lift(question, doc)
        best = max(words.values())
        for doc in {doc for lender in lenders for doc in self.beside(lender)}:
            if allowed is None or doc in allowed:
                words.setdefault(doc, score[doc])
        lexical = {
            doc: score / best * (cfg.question_factor if self.docs[doc].asks else 1.0)
            for doc, score in words.items()
        }
        shares = self.episode_shares(direct, lexical)
        totals = {}
        for doc in lexical:
            lent = sum(self.beside(lender).get(doc, 0.0) * lexical[lender] for lender in lenders)
            total = lexical[doc] + lent + shares.get(self.docs[doc].group, 0.0)
            totals[doc] = total * (1 + cfg.time_boost * (doc in lifted))
        order = [item for item in best_first(totals) if self.stands(question, added, item[0])]
        if not order:
            return []
        floor = cfg.relative_floor * order[0][1]
        return [
            Hit(doc, score)
            for doc, score in order[:limit]
            if score >= floor * (1 if self.speaks(question, doc) else cfg.feedback_weight)
        ]

    def linked(self, doc, seen, allowed):
        """The documents that share at least two rare terms with *doc*, with the share."""
        rarest = max(RARE_LEAST, int(len(self.docs) * RARE_SHARE))
        terms = sorted(self.held[doc], key=lambda term: (self.frequencies[term], term))
        rare = [term for term in terms[:CHAIN_TERMS] if self.frequencies[term] <= rarest]
        named = {o for t in rare if t.startswith(ABOUT) for o in self.newest(t, CHAIN_POSTINGS)}
        rows = [self.newest(t, CHAIN_POSTINGS) for t in rare if not t.startswith(ABOUT)]
        rows += [named] if named else []  # a name is one term, of however many words
        shared = Counter(o for row in rows for o in row)
        shares = {
            other: count / len(rows)
            for other, count in shared.items()
            if count >= 2 and other not in seen and (allowed is None or other in allowed)
        }
        return best_first(shares)[: self.cfg.chain_width]

    def chains(self, roots, room, allowed=None):
        """Up to *room* hits reached from *roots* step by step, best first.

        There are none where the *roots* take more than half of the room there is.
        """
        if len(roots) > room:
            return []
        cfg = self.cfg
        seen = {hit.doc for hit in roots}
        ceiling = min((hit.score for hit in roots), default=0.0)
        front, found = list(roots[: cfg.chain_roots]), []
        for hop in range(1, cfg.chain_hops + 1):
            if len(found) >= room:
                break
            reached = {}
            for root in front:
                for doc, share in self.linked(root.doc, seen, allowed):
                    score = min(ceiling, root.score) * cfg.chain_penalty * share
                    if doc not in reached or reached[doc].score < score:
                        reached[doc] = Hit(doc, score, hop, root.doc)
            linked = sorted(reached.values(), key=lambda hit: (-round(hit.score, 9), -hit.doc))
            seen.update(reached)
            found += linked
            front = linked[: cfg.chain_roots]
        return sorted(found, key=lambda hit: (-round(hit.score, 9), -hit.doc))[:room]

    def rank(self, question, limit, allowed=None, lifted=()):
        """The documents that answer *question*, best first, at most *limit*."""
        direct = self.direct_hits(question, limit, allowed, lifted)
        return direct + self.chains(direct, limit - len(direct), allowed)
