"""The dev side of `drift`: what its streams say. Thresholds are tuned on this side only.

`streams` explains the sheet.
"""

from __future__ import annotations

PEOPLE = "Maya; Tom; Priya; Lars; Noor; Felix; my sister; my brother; my neighbour Olga".split("; ")

#: Wordings that all slots of a shape share, on purpose: only the value tells which slot is meant.
SHAPES = """
slot brand
x I swapped {old} for {v} at the weekend.
x I've dropped {old} and gone with {v}.
c I changed over to {v} last week.
c It's {v} for me from now on.
c I've gone over to {v}.

slot person
x {v} has taken over from {old}.
c It's {v} I go to these days.

slot moment
x It isn't {old} any more, it's {v}.

slot work
x We replaced {old} with {v}.
x We moved everything off {old} and onto {v}.
c We changed over to {v} last week.
c We're on {v} now.

slot pastime
x I gave up {old} and took up {v} instead.
c These days it's all {v} for me.
"""

SMALL_TALK = """
Good morning! Did you sleep well?
Thanks, that was a great help.
The weather is awful again, rain all day.
Haha, you always know what to say.
I'm a bit tired today, long week.
Can you remind me what a haiku is?
The traffic was terrible on the way back.
I took a long walk by the river after lunch.
Someone left the kitchen light on all night.
Okay, let's talk about something else.
What do you think about modern art?
My back hurts from sitting all day.
I burnt the toast this morning.
We laughed so much at the party on Saturday.
I can't find my umbrella anywhere.
The neighbours are drilling again.
That film last night was far too long.
I moved the sofa to the other side of the room.
I switched the lights off and listened to the storm.
I lost a glove on the way.
I changed the bed sheets and cleaned the windows.
The lift in our building is broken again.
Ok.
See you tomorrow!
"""

SLOTS = """
slot home place
v Turku; Bergen; Porto; Graz; Utrecht; Galway
s I live in {v}.
s My flat is in {v}, close to the station.
s Home for me is {v}.
x I moved from {old} to {v}.
x We have left {old} behind and live in {v} now.
c I'm a {v} resident these days.
c Since spring I've been living in {v}.
p The boxes are finally unpacked, my first week in {v} feels strange.
p Signed the lease in {v} and handed back the old keys.
o {n} lives in {v}.
a Which city does {n} live in?
q Where do I live?
q Which town is my place in?
h Where did I live before?

slot employer
v Nokia; Siemens; Vattenfall; Lufthansa; Philips; Ericsson
s I work at {v}.
s My employer is {v}.
s I earn my living at {v}.
x I left {old} and joined {v}.
x I quit {old}; I'm with {v} now.
c I've started working for {v}.
c {v} is who pays my salary these days.
p First day at {v} today, they gave me a badge and a tour.
o {n} works at {v}.
a Who does {n} work for?
q Which company am I employed by?
q Where do I work?
h Which company did I work for before?

slot job
v accountant; translator; nurse; electrician; librarian; surveyor
s I work as a {v}: that is my job title.
s By profession I'm a {v}.
s I make my living as a {v}.
x I retrained: I'm no longer a {old}, I'm a {v}.
x After years as a {old} I became a {v}.
c I'm a {v} now.
c They hired me as a {v}.
p My new business card says {v}.
o {n} is a {v} by trade.
a What does {n} do for a living?
q What's my job?
q What do I do for a living?
h What was my old profession?

slot manager
v Henrik; Sabine; Adaeze; Oscar; Yuki; Marta
s My manager is {v}.
s I report to {v}.
s {v} is my boss at work.
x I no longer report to {old}; my new manager is {v}.
x {old} left, so {v} is my boss now.
c {v} does my reviews now.
c As of Monday I answer to {v}.
p {v} moved into the corner office and runs our one-to-ones.
o {n}'s manager is {v}.
a Who is {n}'s boss?
q Who do I report to?
q Who's my boss?
h Who was my manager before?

slot team
v logistics; payroll; research; procurement; marketing; compliance
s I'm on the {v} team.
s My department is {v}.
s I sit with the {v} group.
x I transferred from {old} to {v}.
x I've left the {old} team for {v}.
c I've joined {v} at the office.
c They put me in {v} now.
p My desk is with the {v} people since the reshuffle.
o {n} is in the {v} department.
a Which department is {n} in?
q Which team am I in?
q What department do I belong to?
h Which team was I in before?

slot bank brand
v Citi; Barclays; Monzo; Santander; Nordea; Revolut
s I bank with {v}.
s My savings account is at {v}.
s My bank is {v}.
x I closed my account at {old} and opened one at {v}.
x I've moved my savings from {old} to {v}.
c It's {v} I bank with these days.
c My salary is paid into {v} now.
p The new debit card from {v} came in the post and the direct debits are moved.
o {n} banks with {v}.
a Which bank does {n} use?
q Where do I keep my money?
q Which bank am I with?
h Which bank did I use earlier?

slot phone brand
v Pixel; iPhone; Fairphone; OnePlus; Xperia; Galaxy
s I have a {v} as my phone.
s My phone is a {v}.
s The mobile I carry is a {v}.
x I traded my {old} in for a {v}.
x My {old} died, I have a {v} now.
c I'm calling from a {v} these days.
p Unboxed the {v} and moved my SIM over.
p The {v} is finally charged and all my apps are on it.
o {n} has a {v} phone.
a What phone does {n} have?
q What mobile do I use?
q Which phone is mine?
h What phone did I have before?

slot laptop brand
v ThinkPad; MacBook; Chromebook; Zenbook; Latitude; Surface
s I write everything on a {v}.
s My laptop is a {v}.
s The computer I use is a {v}.
x I replaced my {old} with a {v}.
x I sold the {old} laptop and bought a {v}.
c I'm typing this on a {v} nowadays.
p The {v} arrived, all my files are copied over.
o {n} uses a {v} as a laptop.
a Which laptop does {n} use?
q What computer do I work on?
q Which laptop do I have?
h What laptop did I have before?

slot editor brand
v Vim; Emacs; VSCode; Sublime; Zed; Helix
s I write code in {v}.
s My editor is {v}.
s For programming I use {v}.
x I switched from {old} to {v} for coding.
x I uninstalled {old}; {v} is my editor now.
c All my coding happens in {v} these days.
p I've ported my key bindings and snippets to {v}.
o {n} codes in {v}.
a Which editor does {n} like to use?
q What do I edit code with?
q Which text editor am I using?
h Which editor did I use in the past?

slot car brand
v Volvo; Skoda; Toyota; Peugeot; Mazda; Fiat
s I drive a {v}.
s My car is a {v}.
s There is a {v} in my garage, it's what I drive.
x I sold the {old} and bought a {v}.
x I part-exchanged my {old} for a {v}.
c I'm behind the wheel of a {v} these days.
p Picked up the keys to the {v} from the dealer, it smells new.
o {n} drives a {v}.
a What car does {n} drive?
q Which car do I own?
q What do I drive?
h What was my last car?

slot commute
v bike; tram; ferry; scooter; bus; metro
s I go to the office by {v}.
s My commute is by {v}.
s I get to work by {v}.
x I stopped commuting by {old}, now I go by {v}.
x I used to take the {old} to work, now it's the {v}.
c Since spring I get in by {v}.
c The {v} takes me to work these days.
p Got a season ticket for the {v}, so mornings are calmer.
o {n} goes to work by {v}.
a How does {n} get to work?
q How do I get to the office?
q What's my way of commuting?
h How did I use to commute?

slot diet
v vegan; vegetarian; pescatarian; paleo; keto; halal
s I eat {v}.
s My diet is {v}.
s I keep to {v} food.
x I'm not {old} any more, I've gone {v}.
x I went from {old} to {v}.
c I'm eating {v} now.
c I've turned {v}.
p The kitchen is stocked with nothing but {v} groceries since my check-up.
o {n} eats {v}.
a What kind of diet does {n} have?
q What do I eat?
q What diet am I on?
h What diet did I follow before?

slot gym brand
v Gymbox; PureGym; Fitness24; CrossHub; Holmes; Elixia
s I work out at {v}.
s My gym is {v}.
s I have a membership at {v}.
x I cancelled {old} and signed up at {v}.
x I left the gym {old} for {v}.
c My workouts are at {v} these days.
p My new locker at {v} is next to the sauna.
o {n} works out at {v}.
a Which gym does {n} go to?
q Where do I work out?
q What gym am I a member of?
h Which gym did I go to before?

slot sport pastime
v tennis; rowing; climbing; judo; fencing; badminton
s My sport is {v}.
s I train {v} twice a week.
s The sport I do is {v}.
x I stopped {old} and started {v}.
c I've taken up {v}.
c {v} is my sport now.
p My coach says I've the right build for {v}, the first lesson was fun.
o {n}'s sport is {v}.
a Which sport does {n} do?
q What sport do I practise?
q How do I keep fit?
h Which sport did I do before?

slot instrument pastime
v cello; trumpet; ukulele; clarinet; accordion; harp
s I play the {v}.
s My instrument is the {v}.
s I practise the {v} every evening.
x I traded the {old} for a {v} and play that now.
x I don't play the {old} any more, I play the {v}.
c I'm learning the {v} now.
p The teacher showed me how to hold the {v}, my fingers hurt.
o {n} plays the {v}.
a What instrument does {n} play?
q Which instrument do I play?
q What do I make music on?
h Which instrument did I play before?

slot learning pastime
v Danish; Korean; Portuguese; Arabic; Czech; Swahili
s I'm learning {v}.
s The language I study is {v}.
s I take evening classes in {v}.
x I dropped my {old} classes and I'm learning {v} now.
x I switched from {old} to {v} in my language app.
c My language course is in {v} now.
p Bought a {v} grammar and stuck notes all over the flat.
o {n} is learning {v}.
a What language is {n} learning?
q Which language am I studying?
q What am I taking language lessons in?
h Which language did I learn earlier?

slot doctor person
v Dr Ahlgren; Dr Bose; Dr Castell; Dr Dimov; Dr Eng; Dr Farkas
s My doctor is {v}.
s My GP is {v}.
s When I'm ill I see {v}, my family doctor.
x I changed doctors, from {old} to {v}.
x {old} retired, {v} is my GP now.
c My new GP is {v}.
p {v} has my medical records now and did the first check-up.
o {n}'s doctor is {v}.
a Who is {n}'s doctor?
q Who is my GP?
q Which physician do I see?
h Who was my doctor before?

slot dentist person
v Dr Gupta; Dr Holm; Dr Ivanov; Dr Jansen; Dr Kato; Dr Lund
s My dentist is {v}.
s {v} looks after my teeth.
s I have my teeth checked by {v}.
x I left my dentist {old} and go to {v}.
x My teeth are done by {v} now, not by {old}.
c {v} is my dentist now.
p {v} took the first X-rays of my jaw and kept me as a patient.
o {n}'s dentist is {v}.
a Who is {n}'s dentist?
q Who takes care of my teeth?
q Who is my dentist?
h Which dentist did I have before?

slot medication
v metformin; sertraline; ramipril; ibuprofen; omeprazole; loratadine
s I take {v} every day.
s My medication is {v}.
s I'm on {v}, one tablet in the morning.
x They took me off {old} and put me on {v}.
x I stopped {old}; now I take {v}.
c I've been prescribed {v} now.
c I'm taking {v} these days.
p The chemist handed me {v}, the old packet went into the bin.
o {n} takes {v}.
a What medicine does {n} take?
q Which pills am I on?
q What medication do I take?
h What medicine was I taking before?

slot insurer brand
v Allianz; Aviva; Zurich; Generali; Folksam; Tryg
s My insurance is with {v}.
s I'm insured with {v}.
s My insurer is {v}.
x I cancelled my policy at {old} and took one out with {v}.
x I moved my insurance from {old} to {v}.
c {v} covers me now.
p The new policy from {v} is in the drawer, premium paid.
o {n} is insured with {v}.
a Who insures {n}?
q Which insurance company do I have?
q Who am I insured with?
h Who was my insurer before?

slot reading
v Middlemarch; Dune; Solaris; Beloved; Ulysses; Emma
s I'm reading {v}.
s The book on my bedside table is {v}, I'm halfway.
s My current book is {v}.
x I finished {old} and I'm reading {v} now.
x I put {old} away and started {v}.
c I've started reading {v}.
c {v} is the book I'm in now.
p I was up till two with {v}, I can't put it down.
o {n} is reading {v}.
a What book is {n} reading?
q Which book am I reading?
q What novel am I in the middle of?
h What did I read before that?

slot watching
v Severance; Borgen; Fargo; Fleabag; Dark; Lupin
s I'm watching {v} in the evenings.
s The series I follow is {v}.
s My current show is {v}.
x I'm done with {old}, now I'm watching {v}.
x I gave up on {old} and started {v}.
c We've started on {v}.
c {v} is our show now.
p Three episodes of {v} last night, my eyes hurt.
o {n} is watching {v}.
a What series is {n} watching?
q Which TV show am I watching?
q What series do I follow?
h Which show did I watch before?

slot partner
v Robin; Camille; Andrea; Sasha; Jules; Mika
s My partner is called {v}.
s I'm together with {v}.
s {v} is my partner.
x {old} and I split up; I'm seeing {v}.
x I broke up with {old} and I'm with {v} now.
c I'm going out with {v} now.
c {v} and I are a couple now.
p {v} asked me to move in, and I said yes with tears in my eyes.
o {n}'s partner is {v}.
a Who is {n}'s partner?
q Who am I together with?
q Who is my partner?
h Who was I with before?

slot drink
v espresso; cappuccino; matcha; chai; cortado; macchiato
s My usual order is a {v}.
s At the cafe I always get a {v}.
s I drink {v} in the morning.
x I went off {old}; my usual is a {v} now.
x Instead of {old} I order {v} now.
c I'm on to {v} now.
c My order these days is a {v}.
p The barista starts my {v} when she sees me at the door.
o {n} always orders {v}.
a What does {n} order at the cafe?
q What do I order at the cafe?
q What's my usual drink?
h What did I use to order?

slot waking moment
v 5:30; 6:15; 6:45; 7:10; 7:50; 8:20
s I get up at {v}.
s My alarm rings at {v}.
s I wake up at {v} on weekdays.
x I used to get up at {old}, now it's {v}.
x I moved my alarm from {old} to {v}.
c I'm up at {v} now.
c My alarm is set for {v} these days.
p The new schedule has me out of bed at {v}, still yawning.
o {n} gets up at {v}.
a When does {n} get up?
q What time do I get up?
q When does my alarm go off?
h When did I use to wake up?

slot standup moment
v 9:05; 9:25; 9:40; 10:05; 10:35; 11:10
s Our stand-up is at {v}.
s The daily stand-up starts at {v}.
s Stand-up is every morning at {v}.
x The stand-up has moved from {old} to {v}.
x Stand-up is not at {old} any more but at {v}.
c Our stand-up now starts at {v}.
c From this week stand-up is at {v}.
p The team agreed on {v} for the morning round, calendars are updated.
q When is our stand-up?
q What time does the daily meeting start?
h When was the stand-up before?

slot launch moment
v 3 March; 17 April; 9 May; 21 June; 12 September; 30 October
s The launch is planned for {v}.
s Our launch date is {v}.
s We launch on {v}.
x The launch has slipped from {old} to {v}.
x We pushed the launch back from {old} to {v}.
c The launch is now on {v}.
c The new launch date is {v}.
p The launch posters are printed and say {v}, so that's that.
q When do we launch?
q What's the launch date?
h What was the launch date before?

slot budget
v 20,000; 35,000; 48,000; 52,000; 61,000; 75,000
s The project budget is {v} euros.
s We have {v} euros for the project.
s Our budget stands at {v} euros.
x The budget was changed from {old} to {v} euros.
x Instead of {old} euros we have {v} for the project.
c The budget is now {v} euros.
c Finance set our budget at {v} euros.
p Finance signed off {v} euros for us after the review.
q How much money do we have for the project?
q What's our budget?
h What was the budget before?

slot database work
v Postgres; MySQL; MongoDB; SQLite; Oracle; Cassandra
s Our data sits in {v}.
s The database we use is {v}.
s Our backend stores everything in {v}.
x We migrated from {old} to {v}.
x We retired {old}, our database is {v} now.
c Our database is {v} now.
p The last tables were copied into {v} overnight, queries look fine.
o {n}'s shop runs on a {v} database.
a Which database does {n}'s shop use?
q Which database do we use?
q What do we store our data in?
h Which database did we use before?

slot cloud work
v AWS; Azure; Hetzner; Linode; Scaleway; Heroku
s We host everything on {v}.
s Our cloud provider is {v}.
s Our servers run at {v}.
x We moved our hosting from {old} to {v}.
x We cancelled {old}, our servers are at {v} now.
c Our hosting is at {v} now.
p DNS points to {v} since last night and the old machines are off.
o {n}'s startup is hosted on {v}.
a Where is {n}'s startup hosted?
q Where are our servers hosted?
q Which cloud provider do we use?
h Where did we host before?

slot frontend work
v React; Vue; Svelte; Angular; Solid; Ember
s Our front end is written in {v}.
s The web framework we use is {v}.
s The user interface is built with {v}.
x We rewrote the front end from {old} to {v}.
x The front end isn't {old} any more, it's {v}.
c Our front end is in {v} now.
p The last screens were rebuilt in {v} and shipped on Friday.
o {n}'s team builds with {v}.
a Which framework does {n}'s team use?
q What's our front end built with?
q Which web framework do we use?
h What framework was the front end in before?

slot status
v on hold; in review; in testing; blocked; in design; approved
s The Apollo project is {v}.
s Status of Apollo: {v}.
s Apollo is currently {v}.
x Apollo is no longer {old}, it's {v}.
x Apollo went from {old} to {v}.
c Apollo is {v} now.
c As of today Apollo is {v}.
p The board met this morning, and they marked Apollo as {v}.
q What's the status of Apollo?
q How is the Apollo project doing?
h What was the status of Apollo before?

slot version
v 2.4; 2.5; 3.0; 3.1; 3.2; 4.0
s Production runs version {v}.
s The version in production is {v}.
s Version {v} is live.
x We upgraded production from {old} to {v}.
x Version {old} is gone, {v} is live.
c Version {v} went live.
c Production is on {v} now.
p We rolled {v} out to all customers last night without a hitch.
q Which version is in production?
q What release are our customers on?
h Which version was in production before?

slot internet brand
v Telia; Vodafone; Elisa; Orange; Proximus; Swisscom
s My internet is from {v}.
s My broadband provider is {v}.
s I have fibre from {v} at the flat.
x I cancelled {old}, my internet comes from {v} now.
x I switched my broadband from {old} to {v}.
c My broadband comes from {v} now.
p The technician from {v} plugged in the router, finally no more dropouts.
o {n} has broadband from {v}.
a Who is {n}'s internet provider?
q Who is my internet provider?
q Which company do I get my broadband from?
h Who was my internet provider before?

slot holiday
v Crete; Iceland; Madeira; Corsica; Tuscany; Brittany
s We're planning our holiday in {v}.
s Our next holiday is in {v}.
s This summer we're going to {v}.
x We're not going to {old} after all, we're going to {v}.
x We changed our holiday plans from {old} to {v}.
c We've decided on {v} for the holiday.
c The holiday will be in {v} now.
p The flights to {v} are booked and the cabin is paid.
o {n} is going on holiday to {v}.
a Where is {n} going on holiday?
q Where are we going on holiday?
q What's our summer destination?
h Where did we want to go on holiday at first?

slot restaurant
v Sapori; Kashmir; Ginza; Taverna; Bistrot; Cantina
s My favourite restaurant is {v}.
s The place I like best for dinner is {v}.
s I love eating at {v} more than anywhere else.
x My favourite restaurant used to be {old}, now it's {v}.
x {v} has replaced {old} as my favourite restaurant.
c My favourite place to eat is {v} now.
c {v} is my new favourite for dinner.
p I've eaten at {v} four times this month, nothing else compares.
o {n}'s favourite restaurant is {v}.
a What is {n}'s favourite restaurant?
q What's my favourite restaurant?
q Where do I like to eat most?
h What was my favourite restaurant before?

slot flatmate
v Ludo; Petra; Quentin; Rosa; Stefan; Ulla
s I share my flat with {v}.
s My flatmate is {v}.
s {v} lives in the other room, we share the rent.
x {old} moved out and {v} moved in with me.
x My flatmate isn't {old} any more but {v}.
c {v} has moved in with me.
c I'm sharing with {v} now.
p {v}'s bed is in the spare room now, and half the fridge is taken.
o {n}'s flatmate is {v}.
a Who does {n} share a flat with?
q Who do I live with?
q Who is my flatmate?
h Who was my flatmate before?

slot birthplace fixed
v Oulu; Cork; Gdansk; Bari; Lille; Ghent
s I was born in {v}.
s {v} is where I was born.
q What is my place of birth?
q Where was I born?

slot birthday fixed
v 4 January; 19 February; 8 July; 23 August; 15 November; 28 December
s My birthday is on {v}.
s I celebrate my birthday on {v}.
q When is my birthday?
q What day do I turn a year older?

slot blood fixed
v A positive; B negative; O positive; AB negative
s My blood type is {v}.
s I have blood group {v}.
q What's my blood group?
q Which blood type do I have?

slot mothertongue fixed
v Finnish; Hungarian; Catalan; Maltese; Estonian; Welsh
s My mother tongue is {v}.
s I grew up speaking {v} at home.
q What's my native language?
q Which language did I grow up with?

slot degree fixed
v geology; philosophy; chemistry; archaeology; economics; botany
s I have a degree in {v}.
s I studied {v} at university.
q What did I study?
q What is my degree in?

slot allergy fixed
v peanuts; shellfish; pollen; penicillin; latex; sesame
s I'm allergic to {v}.
s I have an allergy to {v}.
q What am I allergic to?
q Which allergy do I have?

slot middlename fixed
v Aurelia; Benedict; Cosima; Dorian; Eleonora; Florian
s My middle name is {v}.
s On my passport my second name is {v}.
q What is my middle name?
q What's my second given name?

slot firstpet fixed
v hamster; tortoise; canary; rabbit; goldfish; parrot
s As a child I had a {v}.
s My first pet was a {v}.
q What pet did I have as a child?
q What was my first animal?

slot daughter fixed
v Ottilie; Philippa; Linnea; Saoirse; Tamsin; Viola
s My daughter is called {v}.
s My daughter's name is {v}.
q What's my daughter's name?
q What is my girl called?
"""
