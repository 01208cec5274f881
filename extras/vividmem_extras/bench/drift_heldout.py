"""The held-out side of `drift`: other wordings, other values, partly other slots than the dev side.

Nothing is tuned on it, and no sentence of it may be used to build a reader. `streams` explains the
sheet.
"""

from __future__ import annotations

PEOPLE = "Ingrid; Rahul; Chloe; Mateus; Zofia; Kwame; my cousin; my uncle; my colleague Beth".split(
    "; "
)

#: Wordings that all slots of a shape share, on purpose: only the value tells which slot is meant.
SHAPES = """
slot product
x Goodbye {old}, hello {v}.
x Turns out {v} suits me better than {old}, so I made the jump.
c Made the jump to {v} on Friday.
c Tried {v} for a month and I'm sticking with it.
c Lately I've been all about {v}.

slot human
x {old} is gone, so {v} handles that for me.
c {v} handles that for me now.

slot stack
x We ripped out {old} and put {v} in.
x {old} got too expensive, so we're using {v}.
c The whole crew works with {v} as of this sprint.
c {v} it is, the migration is finished.

slot hour
x We shifted it from {old} to {v}.

slot leisure
x Got bored of {old} and fell in love with {v}.
c Caught the {v} bug this winter.
"""

SMALL_TALK = """
Hey, you there?
Cheers, much appreciated!
It has been snowing since breakfast.
Lol, fair enough.
Ugh, Mondays.
How many legs does a lobster have?
Somebody parked across our drive again.
Watched the sunset from the pier, gorgeous.
I dropped a jar of jam on the floor.
Never mind, forget I asked.
Do you reckon aliens exist?
My knees creak when I climb the stairs.
The queue at the post office took an hour.
We had a lovely picnic in the park.
Where on earth did I put my glasses?
They're resurfacing our street all week.
The concert was louder than I had hoped.
Rearranged the bookshelf by colour, no regrets.
Turned the heating down and put on a jumper.
Left my scarf in a taxi, typical.
Swapped seats with a kid so he could see the sea.
Changed the light bulb in the hall.
Joined the call late because of the printer.
Yup.
Talk soon!
Right, back to it.
"""

SLOTS = """
slot town
v Leeds; Malmo; Ostrava; Bilbao; Nantes; Trieste
s We've got a little house in {v}.
s {v} is where I've settled.
s I'm based in {v}, third floor, no lift.
x Packed up {old} for good and relocated to {v}.
x Sold the place in {old}; we're {v} people now.
c {v} has been home since the summer.
c I've put down roots in {v}.
p Got the keys in {v} yesterday, the movers broke only one lamp.
o {n} has a house in {v}.
a Whereabouts does {n} live?
q What city is my home in?
q Whereabouts am I living?
h Which city did we leave?

slot company
v Bosch; Airbus; Carlsberg; Novartis; Maersk; Unilever
s I've got a job with {v}.
s I'm employed by {v}.
s {v} has had me on the payroll for a while.
x Handed in my notice at {old} and signed with {v}.
x After {old} let me go I landed a position at {v}.
c I'm on the books at {v} now.
c {v} took me on.
p My {v} onboarding was four hours of slides and a free mug.
o {n} is employed by {v}.
a Which firm is {n} employed by?
q Who's my employer?
q What company am I at?
h Who employed me previously?

slot profession
v plumber; pharmacist; architect; cartographer; paralegal; optician
s I'm a qualified {v}.
s My line of work: {v}.
s I've been working as a {v} for a while.
x Hung up my {old} hat; I've requalified as a {v}.
x I went from being a {old} to being a {v}.
c These days my job is {v}.
c I got certified and work as a {v} now.
p Passed the exam, so there's {v} on my door sign.
o {n} earns a living as a {v}.
a What is {n}'s profession?
q What line of work am I in?
q What's my occupation?
h What did I do for a living previously?

slot supervisor
v Giuseppe; Anneke; Tariq; Beatrix; Dmitri; Sunniva
s {v} is the one I report to.
s My supervisor's name is {v}.
s At work {v} is my line manager.
x {old} got promoted and I'm under {v} now.
x My line manager changed from {old} to {v}.
c {v} is my line manager as of this quarter.
c I've been reassigned to {v}, who signs my holidays now.
p {v} held my appraisal this time and wants weekly catch-ups.
o {n} reports to {v}.
a Who is {n}'s line manager?
q Who's my line manager?
q Who is my superior at the office?
h Who was my line manager previously?

slot moneyhouse product
v HSBC; Lloyds; Starling; Handelsbanken; ING; Commerzbank
s My current account is with {v}.
s {v} looks after my money.
s I do my banking at {v}.
x Got fed up with {old} and took my account to {v}.
x Shut the {old} account, everything runs through {v} now.
c My banking happens at {v} nowadays.
c I'm a customer of {v} now, standing orders and all.
p My {v} card works at the cash machine at last, PIN and everything.
o {n} has an account with {v}.
a Where does {n} bank?
q Which bank do I use?
q Where's my current account?
h Which bank was I with previously?

slot mobile product
v Motorola; Nothing Phone; Zenfone; Nokia 3310; Blackberry; Redmi
s My handset is a {v}.
s I carry a {v} in my pocket, that's my phone.
s For calls I've got a {v}.
x The {old} went in the drawer, I ring people on a {v} now.
x Upgraded my phone from the {old} to a {v}.
c You can reach me on a {v} now, new phone, same number.
p Peeled the film off the {v} and restored my contacts.
o {n} carries a {v} as a phone.
a Which handset does {n} have?
q What phone do I have?
q Which handset do I carry?
h Which phone did I carry previously?

slot browser product
v Firefox; Vivaldi; Brave; Safari; Opera; Chrome
s I browse the web with {v}.
s {v} is my default browser.
s For surfing I use {v}.
x Ditched {old} as my browser in favour of {v}.
x My default browser was {old}, I've made it {v}.
c My tabs all live in {v} now.
p Imported my bookmarks into {v} and pinned it to the dock.
o {n} surfs with {v}.
a Which browser does {n} use?
q Which browser do I use?
q What do I surf the web with?
h What was my default browser previously?

slot notes product
v Obsidian; Evernote; Notion; Joplin; Bear; Logseq
s I take notes in {v}.
s My notes are kept in {v}.
s {v} is my note-taking app.
x Exported my notes out of {old} and into {v}.
x My note app is {v} now, no longer {old}.
c All my notes are in {v} now.
p Two thousand scribbles imported into {v}, tags intact.
o {n} keeps notes in {v}.
a Which note app does {n} use?
q Where do I write down my notes?
q What's my note app?
h Which note app did I use previously?

slot vehicle product
v Renault; Subaru; Tesla; Dacia; Hyundai; Saab
s We've got a {v} parked outside, it's our car.
s I get around in a {v}.
s My motor is an old {v}.
x Scrapped the {old}; there's a {v} in the drive now.
x Our {old} failed its inspection, so we got a {v}.
c I'm driving a {v} nowadays.
p The {v} is registered in my name and the roof box fits.
o {n} has a {v} parked outside.
a What make of car does {n} have?
q What make is my car?
q Which car have I got?
h Which car did we have previously?

slot travel
v train; tube; kick scooter; carpool; moped; trolleybus
s I take the {v} to work.
s Getting to the office means the {v} for me.
s I commute on the {v}.
x Swapped the {old} for the {v} on my way to work.
x No more {old} in the mornings, I ride the {v} to the office.
c I've been getting to work on the {v} lately.
c My commute is the {v} now.
p Thirty minutes on the {v} with a podcast, and I'm at my desk.
o {n} commutes on the {v}.
a How does {n} commute?
q How do I travel to work?
q What gets me to the office?
h How did I get to work previously?

slot eating
v gluten-free; low-carb; flexitarian; kosher; macrobiotic; dairy-free
s My meals are {v}.
s I'm strictly {v}.
s I stick to a {v} diet.
x Gave up on {old} and eat {v} now.
x My diet changed from {old} to {v}.
c My plate is {v} these days.
c The doctor has me eating {v}.
p Cleared the cupboards, the {v} cookbook is open on the counter.
o {n} sticks to a {v} diet.
a What diet is {n} on?
q What's my diet?
q Which way of eating do I follow?
h Which diet was I on previously?

slot fitness product
v Virgin Active; Anytime; SportCity; McFit; Bannatyne; Actic
s I lift weights at {v}.
s I'm a member of {v}, the gym round the corner.
s For the treadmill I go to {v}.
x Let my {old} membership lapse and joined {v}.
x I've switched gyms, {old} to {v}.
c My gym is {v} now.
p The induction at {v} was free, and my card opens the turnstile.
o {n} is a member of {v}.
a Where does {n} lift weights?
q Which gym am I with?
q Where do I lift weights?
h Which gym was I a member of previously?

slot hobby leisure
v pottery; birdwatching; chess; archery; origami; beekeeping
s My hobby is {v}.
s In my free time I do {v}.
s {v} is what I do for fun.
x Packed in {old}; {v} is my hobby now.
c My free time goes into {v} now.
p Spent all Sunday on {v} with the club, they've given me a beginner's kit.
o {n} is into {v}.
a What is {n}'s hobby?
q What do I do in my spare time?
q What's my pastime?
h What was my hobby previously?

slot music leisure
v oboe; banjo; viola; saxophone; mandolin; trombone
s I've been playing the {v} for a while.
s I'm the {v} player of the family.
s There's a {v} in my room that I play.
x Sold my {old}; I'm a {v} player now.
c I've got a {v} now and play it daily.
p My first scale on the {v} scared the cat.
o {n} is a {v} player.
a Which instrument does {n} play?
q What instrument am I playing?
q What do I play music on?
h What instrument did I play previously?

slot tongue leisure
v Polish; Mandarin; Icelandic; Greek; Turkish; Hebrew
s I'm taking {v} lessons.
s I'm studying {v} with a tutor.
s My tutor teaches me {v}.
x Paused {old}; my tutor teaches me {v} now.
c I've enrolled in a {v} course.
p My flashcards are {v} from top to bottom, and I dream in it.
o {n} takes {v} lessons.
a Which language does {n} study?
q What language am I taking lessons in?
q Which language is my tutor teaching me?
h Which language did I study previously?

slot physician human
v Dr Moreau; Dr Nilsen; Dr Okafor; Dr Pires; Dr Quist; Dr Rossi
s I'm registered with {v} at the practice.
s {v} is my family doctor.
s For checkups I see {v}.
x {old} closed the practice, so I'm a patient of {v} now.
x I swapped family doctors: {old} out, {v} in.
c I'm a patient of {v} now.
p {v} listened to my chest and will be writing my prescriptions.
o {n} is a patient of {v}.
a Which doctor does {n} see?
q Who's my family doctor?
q Which doctor am I registered with?
h Which doctor did I see previously?

slot hairdresser human
v Lorenzo; Paulette; Hugo; Mireille; Fabian; Nadja
s {v} cuts my hair.
s My hairdresser is {v}.
s I get my haircuts from {v}.
x {old} messed up my fringe, so {v} cuts my hair now.
x I left {old} and have my hair cut by {v}.
c My hairdresser these days is {v}.
p {v} gave me layers and booked me in for six weeks from now.
o {n} has haircuts from {v}.
a Who cuts {n}'s hair?
q Who cuts my hair?
q Who's my hairdresser?
h Who used to cut my hair?

slot pill
v aspirin; insulin; lisinopril; cetirizine; fluoxetine; warfarin
s I'm prescribed {v}.
s I swallow a {v} tablet with breakfast.
s The medicine I'm on is {v}.
x {old} made me dizzy, so it's {v} now.
x The doctor replaced my {old} with {v}.
c I've been put on {v}.
c My prescription is for {v} now.
p The pharmacy bag has {v} in it now, twice a day with food.
o {n} is prescribed {v}.
a Which medication is {n} on?
q What medicine am I on?
q What am I prescribed?
h Which medication was I on previously?

slot cover product
v AXA; Gjensidige; Helvetia; Mapfre; Ergo; Hiscox
s {v} insures me.
s I've got my home insurance through {v}.
s My policy is from {v}.
x Didn't renew with {old}; I'm covered by {v} now.
x My insurer was {old}, I've gone to {v}.
c I'm covered by {v} now.
p {v} sent the certificate and the no-claims bonus came along.
o {n} is covered by {v}.
a Which insurer does {n} have?
q Who is my insurer?
q Which company insures my home?
h Who insured me previously?

slot novel
v Persuasion; Frankenstein; Dracula; Gilead; Possession; Shogun
s I'm a hundred pages into {v}.
s {v} is on my nightstand, that's what I'm reading.
s I've got my nose in {v}.
x Closed {old} for the last time and opened {v}.
x Couldn't get on with {old}, so I'm reading {v}.
c I'm a few chapters into {v} now.
c I've picked up {v} from the library and I'm reading it.
p {v} kept me awake, that last chapter is a killer.
o {n} is halfway through {v}.
a Which novel is {n} reading?
q What am I reading?
q Which novel is on my nightstand?
h Which book was I on previously?

slot show
v Succession; Narcos; Shetland; Taskmaster; Andor; Bluey
s We're bingeing {v}.
s Evenings are for {v}, our series.
s I'm on season two of {v}.
x Finished {old} and moved on to {v}.
x Dropped {old} halfway, we watch {v} now.
c Our series these days is {v}.
c I've got into {v}, we watch it every night.
p Stayed up for the {v} finale of season one, popcorn everywhere.
o {n} is bingeing {v}.
a Which show is {n} bingeing?
q What are we bingeing?
q Which TV series are we on?
h Which series did we watch previously?

slot sweetheart
v Eden; Rowan; Marlowe; Quinn; Noa; Ellis
s I'm dating {v}.
s {v} and I have been a couple for some time.
s The love of my life is {v}.
x It's over with {old}; {v} is the one I'm dating.
x {old} left me, and I've found happiness with {v}.
c {v} and I are dating now.
c I've fallen for {v} and we're together.
p {v} met my parents as my date and held my hand all evening.
o {n} is dating {v}.
a Who is {n} dating?
q Who am I dating?
q Who's my sweetheart?
h Who did I date previously?

slot brew
v americano; rooibos; oolong; lungo; mocha; kombucha
s Make mine a {v}, as ever.
s My drink of choice is {v}.
s I start the day with a {v}.
x {old} gives me heartburn, I start the day with a {v} now.
x I've switched my morning drink from {old} to {v}.
c A {v} is my drink of choice now.
c I've become a {v} drinker.
p Bought a tin of {v} for the office, I get through three cups a day.
o {n} starts the day with a {v}.
a What is {n}'s drink of choice?
q What do I drink in the morning?
q What's my drink of choice?
h What was my drink of choice previously?

slot bedtime hour
v 21:30; 22:05; 22:40; 23:10; 23:35; 00:15
s I go to bed at {v}.
s Lights out at {v} for me.
s My bedtime is {v}.
x My bedtime went from {old} to {v}.
x I don't turn in at {old} any more but at {v}.
c I turn in at {v} now.
c Bedtime is {v} these days.
p The sleep app sends me upstairs at {v} sharp, and I obey.
o {n} turns in at {v}.
a What time does {n} go to bed?
q When do I go to bed?
q What time do I turn in?
h When did I go to bed previously?

slot review hour
v 13:05; 13:50; 14:20; 14:55; 15:25; 16:10
s The design review takes place at {v}.
s Design review: {v}, every Wednesday.
s We hold the design review at {v}.
x The design review clashed, so instead of {old} it's {v}.
x They rescheduled the design review, {old} became {v}.
c The design review begins at {v} now.
c They've put the design review at {v}.
p Room booking says {v} for the Wednesday design session, bring mock-ups.
q When is the design review?
q At what time do we review designs?
h When was the design review previously?

slot delivery hour
v 6 February; 14 March; 25 April; 16 June; 27 August; 8 November
s The report is due on {v}.
s Our deadline for the report: {v}.
s We must hand in the report by {v}.
x The report deadline was extended from {old} to {v}.
x They brought the report forward, {v} instead of {old}.
c The report is due on {v} now.
c The client wants the report by {v}.
p Wall calendar says {v} in red for handing in the report.
q When is the report due?
q What's the deadline of the report?
h When was the report due previously?

slot rent
v 740; 810; 865; 930; 985; 1,040
s My rent is {v} a month.
s I pay {v} a month for the flat.
s The landlord charges me {v}.
x The rent went up from {old} to {v}.
x I used to pay {old} for the flat, it's {v} now.
c The landlord charges {v} now.
c As of this month rent is {v}.
p The standing order to the landlord reads {v} since the letter came.
o {n} pays {v} in rent.
a How much rent does {n} pay?
q How much do I pay for the flat?
q What's my rent?
h How much was my rent previously?

slot warehouse stack
v Snowflake; BigQuery; DuckDB; ClickHouse; Redshift; Databricks
s Our analytics run on {v}.
s We keep our data warehouse in {v}.
s The warehouse is {v}.
x Our analytics left {old}, they run on {v} now.
x The data warehouse was {old} until May, now it's {v}.
c Our dashboards query {v} now.
p The nightly jobs write to {v}, and the analysts have their logins.
o {n}'s team keeps its data in {v}.
a Which warehouse does {n}'s team use?
q What is our data warehouse?
q What do our analytics run on?
h What did our analytics run on previously?

slot pipeline stack
v Jenkins; CircleCI; Buildkite; TeamCity; Drone; Bamboo
s Our builds run on {v}.
s {v} is our CI.
s We do continuous integration with {v}.
x Our builds moved off {old}, they run on {v}.
x CI is {v} now, {old} is switched off.
c Our CI is {v} now.
p The first green build on {v} took four minutes, badges are up.
o {n}'s builds run on {v}.
a What CI does {n} use?
q What's our CI?
q Where do our builds run?
h Which CI did we have previously?

slot language stack
v Python; Kotlin; Elixir; Haskell; Scala; Erlang
s Our backend is written in {v}.
s The server code is in {v}.
s We write our services in {v}.
x We rewrote the backend, {old} out, {v} in.
x The server code isn't {old} any longer, it's {v}.
c The backend is in {v} now.
p The last service compiles in {v}, the old repo is archived.
o {n} writes services in {v}.
a What does {n} write services in?
q What is our backend written in?
q Which language is the server code in?
h What was the backend written in previously?

slot chat stack
v Slack; Mattermost; Zulip; Discord; Rocketchat; Webex
s We chat on {v} at work.
s Our team messenger is {v}.
s Work messages come through {v}.
x Our messenger changed, {old} to {v}.
x They switched off {old}, we chat on {v} now.
c Our team messenger is {v} now.
p All channels were recreated in {v}, my status is a palm tree.
o {n}'s office chats on {v}.
a What does {n}'s office chat on?
q Which messenger does our team use?
q Where do we chat at work?
h Which messenger did we have previously?

slot state
v cancelled; delayed; in progress; on track; at risk; signed off
s The Hermes rollout is {v}.
s Hermes rollout: {v}.
s Last I heard, Hermes is {v}.
x The Hermes rollout was {old}, but it's {v} now.
x Scratch that, Hermes isn't {old}, it's {v}.
c The Hermes rollout is now {v}.
c Steering committee says Hermes is {v}.
p Traffic light in the Hermes deck was changed, so it's officially {v}.
q Where does the Hermes rollout stand?
q What's the state of Hermes?
h What was the state of Hermes previously?

slot firmware
v 1.7; 1.8; 1.9; 5.1; 5.2; 6.3
s The devices are on firmware {v}.
s Firmware {v} is on all devices.
s Our fleet runs firmware {v}.
x The firmware was bumped from {old} to {v}.
x We rolled the devices back from {old} to {v}.
c The fleet is on {v} now.
c Firmware {v} is out to all devices.
p Flashed {v} onto the whole fleet overnight, no bricks.
q Which firmware is on the devices?
q What firmware does our fleet run?
h Which firmware did the devices have previously?

slot electricity product
v Vattenkraft; Octopus; Enel; Eneco; Naturstrom; Axpo
s My electricity comes from {v}.
s {v} supplies our power.
s Our power bills come from {v}.
x Left {old} for {v}, cheaper power.
x Our power supplier used to be {old}, now {v} sends the bills.
c Our power comes from {v} now.
p {v} read the meter on Monday and sent a welcome letter.
o {n} buys power from {v}.
a Who supplies {n}'s power?
q Who is my energy supplier?
q Which company do I get my electricity from?
h Who supplied our electricity previously?

slot trip
v Sicily; Norway; Malta; Slovenia; Cornwall; Sardinia
s Our getaway in autumn is to {v}.
s For the autumn break we've picked {v}.
s We'll spend the autumn break in {v}.
x {old} was too pricey, so we'll spend the break in {v}.
x We called off {old} and booked {v} instead.
c For the break we've settled on {v}.
c The autumn break will be in {v} now.
p Ferry tickets for {v} are in my inbox, and the dog has a sitter.
o {n} is off to {v} in autumn.
a Where is {n} off to in autumn?
q Where are we spending the autumn break?
q Where's our getaway?
h Where were we meant to go on the break originally?

slot shop product
v Lidl; Tesco; Carrefour; Migros; Waitrose; Rewe
s I do my weekly shop at {v}.
s Our groceries come from {v}.
s I buy our food at {v}.
x Stopped going to {old}, the weekly shop is at {v} now.
x Our groceries came from {old}, now from {v}.
c The weekly shop is at {v} now.
p My trolley coin lives at {v}, and the loyalty points are piling up.
o {n} shops at {v}.
a Where does {n} buy groceries?
q Where do I do the grocery shopping?
q Which supermarket do I go to?
h Which supermarket did I go to previously?

slot landlord
v Mr Abernathy; Mrs Bellini; Mr Cho; Mrs Duval; Mr Eklund; Mrs Faber
s My landlord is {v}.
s I rent from {v}.
s The flat belongs to {v}.
x {old} sold the building, so my landlord is {v} now.
x I pay rent to {v} now, not to {old}.
c The flat belongs to {v} now.
c I'm renting from {v} now.
p {v} came round with the new tenancy agreement and fixed the tap.
o {n} rents from {v}.
a Who does {n} rent from?
q Who do I rent my flat from?
q Who's my landlord?
h Who did I rent from previously?

slot office
v Room 118; Room 204; Room 311; Room 427; Room 533; Room 640
s My office is {v}.
s You'll find me in {v} at work.
s I sit in {v}.
x I was relocated from {old} to {v}.
x My office isn't {old} any longer, it's {v}.
c I've got {v} as my office now.
c You'll find me in {v} from now on.
p My plants and monitors are in {v} since the repaint.
o {n} sits in {v}.
a Which room does {n} sit in?
q Where's my office?
q Which room do I sit in?
h Which room did I sit in previously?

slot hometown fixed
v Aarhus; Split; Brno; Poznan; Limerick; Toulon
s I grew up in {v}.
s My childhood was spent in {v}.
q Where did I grow up?
q Where did I spend my childhood?

slot wedding fixed
v 11 May; 2 July; 30 August; 18 September; 6 December
s Our wedding anniversary is {v}.
s We got married on {v}.
q When is our wedding anniversary?
q What day did we get married?

slot shoe fixed
v size 37; size 38; size 41; size 43; size 45
s My shoes are {v}.
s I wear {v} shoes.
q What's my shoe size?
q Which size of shoes do I wear?

slot school fixed
v Eastbrook; St Anselm; Kingsmead; Oakfield; Northgate
s I went to school at {v}.
s {v} was my school.
q Which school did I go to?
q What was my school called?

slot thesis fixed
v glaciers; lichens; medieval trade; seagrass; sundials
s My thesis was about {v}.
s I wrote my thesis on {v}.
q What was my thesis about?
q What did I write my dissertation on?

slot intolerance fixed
v lactose; strawberries; walnuts; nickel; bee stings; mustard
s I get a rash from {v}, I'm allergic.
s My body can't handle {v}, it's an allergy.
q What allergy do I have?
q What can't my body handle?

slot grandmother fixed
v Apollonia; Brunhilde; Clementine; Desdemona; Euphemia
s My grandmother's name was {v}.
s My grandmother was called {v}.
q What was my grandmother called?
q What was my gran's name?

slot son fixed
v Leopold; Magnus; Nathaniel; Osvald; Peregrine
s My son's name is {v}.
s {v} is my son.
q What is my boy's name?
q What's my son called?

slot eyes fixed
v green eyes; hazel eyes; grey eyes; blue eyes
s I have {v}.
s It says {v} in my passport.
q What colour are my eyes?
q What's my eye colour?
"""
