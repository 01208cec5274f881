"""The known part of the trap list; a reader may be built with it. `traps` explains the rows."""

ROWS = """
I commute by train. | How do I get to work? | train
- I took the bus today.
I cycle to the office every day, my commute is by bike. | How do I commute? | bike
- Got a lift from Hannah this morning.
I drive a Volvo. | What car do I drive? | Volvo
- I rented a Fiat for the weekend.
I drive a Skoda. | Which car do I have? | Skoda
- My neighbour bought a Tesla.
My car is a Mazda. | What car do I own? | Mazda
- I test-drove a Peugeot on Saturday.
I work at Siemens. | Where do I work? | Siemens
- I joined the call late.
I work at Nokia. | Where do I work? | Nokia
- I left the keys at the office.
I work for Philips. | Who do I work for? | Philips
- I left early because of the dentist.
My employer is Ericsson. | Who is my employer? | Ericsson
- I had lunch with a recruiter from Intel.
I work at Vattenfall. | Where do I work? | Vattenfall
- I quit the game after ten minutes.
I work at Lufthansa. | Where do I work? | Lufthansa
- I started the dishwasher before bed.
I live in Turku. | Where do I live? | Turku
- I moved the sofa.
I live in Bergen. | Where do I live? | Bergen
- I spent two weeks in Lisbon.
I live in Porto. | Where do I live? | Porto
- My parents moved to Madrid.
I live in Graz. | Where do I live? | Graz
- I moved my lunch break to noon.
My flat is in Utrecht. | Where do I live? | Utrecht
- I changed trains in Cologne.
I live in Galway. | Where do I live? | Galway
- I flew to Boston for a conference and came back on Sunday.
I live in Ghent. | Where do I live? | Ghent
- I'd love to live in Kyoto one day.
I live in Cork. | Where do I live? | Cork
- If I won the lottery I would move to Nice.
Home for me is Lyon. | Where is my home? | Lyon
- I used to live in Dakar as a student, long ago.
I live in Oslo. | Where do I live? | Oslo
- We are thinking about moving to Riga.
I live in Basel. | Where do I live? | Basel
- My sister lives in Hamburg now.
My desk is at window seat 14. | Where is my desk? | window seat 14
- I switched seats with Jordan for the film.
Our stand-up is at 9:15. | When is our stand-up? | 9:15
- Our sync moved to Thursday.
The stand-up is at 9:30. | When is the stand-up? | 9:30
- The stand-up took 25 minutes today.
The launch is on 3 March. | When is the launch? | 3 March
- The press event is on 5 April.
The thesis deadline is 1 June. | When is the thesis deadline? | 1 June
- The grant deadline is 12 July.
The report is due on Friday. | When is the report due? | Friday
- The slides are due on Monday.
The project budget is 20,000 euros. | What is the project budget? | 20,000
- The travel budget is 3,000 euros.
Our meeting is in Room 204. | Which room is our meeting in? | Room 204
- The printer in Room 311 is broken.
My manager is Henrik. | Who is my manager? | Henrik
- I met Sabine in the lift, she manages sales.
My manager is Adaeze. | Who is my manager? | Adaeze
- Priya's new manager is Oscar.
I report to Marta. | Who do I report to? | Marta
- I reported a bug to Yuki.
My boss is Tobias. | Who is my boss? | Tobias
- Tobias is on holiday, so Lena signs the forms this week.
I'm on the payroll team. | Which team am I on? | payroll
- I joined the marketing lunch.
I am on the research team. | Which team am I on? | research
- The logistics team won the quiz.
I work as a nurse. | What's my job? | nurse
- I played a surgeon in the school play.
I'm an accountant. | What is my job? | accountant
- I became a godfather on Sunday.
I'm a translator. | What do I do for a living? | translator
- I was an electrician's assistant one summer when I was 16.
I bank with Citi. | Which bank am I with? | Citi
- There was a long queue at Barclays, so I walked past.
My bank is Monzo. | Which bank do I use? | Monzo
- Revolut keeps sending me adverts.
I bank with Santander. | Which bank am I with? | Santander
- Tom opened an account at Nordea.
My savings are at Nordea. | Where are my savings? | Nordea
- I changed some euros at Lloyds.
My phone is a Pixel. | What phone do I have? | Pixel
- I dropped my phone and picked it up again.
I have an iPhone. | Which phone do I have? | iPhone
- I bought my dad a Fairphone for his birthday.
My phone is a Galaxy. | What phone do I have? | Galaxy
- I called you from Anna's OnePlus.
My phone number is 555-0134. | What is my phone number? | 555-0134
- The plumber's number is 555-0199.
My work phone is a Nokia 225. | What is my work phone? | Nokia 225
- My private phone is an Xperia.
My laptop is a ThinkPad. | What laptop do I have? | ThinkPad
- The MacBook in the meeting room needs a charger.
I write code in Vim. | Which editor do I use? | Vim
- I opened the file in Emacs to show Ben.
My editor is Zed. | What is my editor? | Zed
- Sublime crashed on Leo's machine again.
We use Postgres. | Which database do we use? | Postgres
- I read an article about MongoDB.
Our database is MySQL. | What is our database? | MySQL
- The customer's database is Oracle.
Our database is SQLite. | What is our database? | SQLite
- We evaluated Cassandra and decided against it.
We host on Hetzner. | Where do we host? | Hetzner
- AWS had an outage today.
Our front end is in React. | What is our front end written in? | React
- I gave a talk about Svelte.
Our front end is in Vue. | What is our front end written in? | Vue
- The intern would like to try Angular.
Version 2.4 is in production. | Which version is in production? | 2.4
- Version 2.5 is being tested.
Production runs 3.1. | What does production run? | 3.1
- The customer asked when 4.0 will come.
The billing service is down. | Is the billing service up? | down
- The search service is up again.
The Apollo project is on hold. | What is the status of Apollo? | on hold
- The Gemini project is approved.
Apollo is in review. | What is the status of Apollo? | in review
- I reviewed the Zeus contract.
I'm vegan. | What is my diet? | vegan
- I cooked a steak for my flatmate.
I'm vegetarian. | What do I eat? | vegetarian
- The fish at the market smelled awful.
I am allergic to peanuts. | What am I allergic to? | peanuts
- I ordered the soup without onions.
I'm allergic to cats. | What am I allergic to? | cats
- My aunt got a cat.
I'm allergic to penicillin. | What am I allergic to? | penicillin
- Felix is allergic to latex.
My usual drink is espresso. | What do I usually drink? | espresso
- I had a tea because the machine was broken.
I always order a cappuccino. | What do I always order? | cappuccino
- They spilled a matcha on my coat.
My gym is PureGym. | Which gym do I go to? | PureGym
- I walked past the new Gymbox.
I work out at Fitness24. | Where do I work out? | Fitness24
- I dropped out of the raffle.
My sport is rowing. | What is my sport? | rowing
- I watched the tennis final.
I do judo. | Which sport do I do? | judo
- My son tried fencing at school.
I play the cello. | Which instrument do I play? | cello
- I heard a trumpet in the street.
I play the harp. | What instrument do I play? | harp
- I carried Mia's clarinet up the stairs.
I'm learning Danish. | Which language am I learning? | Danish
- I ordered in Portuguese by pointing at the menu.
I'm learning Korean. | Which language am I learning? | Korean
- I watched a Czech film with subtitles.
My doctor is Dr Bose. | Who is my doctor? | Dr Bose
- Dr Eng called about my mother's results.
My GP is Dr Dimov. | Who is my GP? | Dr Dimov
- I sat next to Dr Farkas at the wedding.
My dentist is Dr Holm. | Who is my dentist? | Dr Holm
- I changed the appointment with the vet.
I take metformin. | Which medication do I take? | metformin
- I took an aspirin for my headache.
I'm on sertraline. | What medication am I on? | sertraline
- I took the stairs instead of the lift.
My insurance is with Allianz. | Who is my insurer? | Allianz
- An agent from Zurich rang, I hung up.
I'm insured with Aviva. | Who am I insured with? | Aviva
- I insured the parcel for 50 euros.
I'm reading Middlemarch. | Which book am I reading? | Middlemarch
- I gave Dune to my brother.
I'm reading Solaris. | What book am I reading? | Solaris
- I read the report and then the news.
We're watching Borgen. | Which series are we watching? | Borgen
- We watched the rain for a while.
I'm watching Fargo. | What series am I watching? | Fargo
- Everybody at work talks about Severance.
My partner is Robin. | Who is my partner? | Robin
- I split the bill with Casey.
I'm together with Camille. | Who am I together with? | Camille
- I broke up the fight between the dogs.
Andrea is my partner. | Who is my partner? | Andrea
- I am seeing a client at three.
My wife is Helena. | Who is my wife? | Helena
- I left Helena at the station so she could catch her train.
My partner is Sasha. | Who is my partner? | Sasha
- Jules and Mika got married.
I get up at 6:15. | When do I get up? | 6:15
- I was woken by a storm at 3:40.
My alarm is at 7:10. | When is my alarm? | 7:10
- I overslept and got up at 9:00 today.
My internet is from Telia. | Who is my internet provider? | Telia
- Vodafone was down in the whole city.
We're going to Crete in July. | Where are we going on holiday? | Crete
- We went to Iceland two years ago.
Our holiday is in Madeira. | Where is our holiday? | Madeira
- I moved the holiday photos to a new folder.
My favourite restaurant is Sapori. | What is my favourite restaurant? | Sapori
- We had dinner at Ginza, it was fine.
My favourite colour is green. | What is my favourite colour? | green
- My favourite song is Blue Monday.
I share a flat with Ludo. | Who do I share a flat with? | Ludo
- Petra stayed on our couch for a night.
My dog is called Bruno. | What is my dog called? | Bruno
- I walked the neighbour's dog Rex.
I have a cat named Misha. | What is my cat's name? | Misha
- We adopted a second cat, Luna.
I have three children. | How many children do I have? | three
- I picked up two children from school.
My birthday is 4 May. | When is my birthday? | 4 May
- Oskar's birthday is 9 June.
My name is Daniel. | What is my name? | Daniel
- The barista wrote Dennis on my cup.
I'm 34 years old. | How old am I? | 34
- My car is 12 years old.
My daughter is called Linnea. | What is my daughter called? | Linnea
- A girl called Frida asked for directions.
I love jazz. | What music do I love? | jazz
- I don't love waiting in line.
I like olives. | What food do I like? | olives
- I painted the shed in a green I don't like.
I don't smoke, I'm a non-smoker. | Do I smoke? | non-smoker
- The chimney was smoking again.
My goal is to run a marathon. | What is my goal? | marathon
- I ran out of milk.
My goal is to learn sailing. | What is my goal? | sailing
- Don't forget to buy stamps.
I studied geology. | What did I study? | geology
- I am studying the menu.
My brother works at the mill. | Where does my brother work? | mill
- My brother's friend works at the bakery.
Theo lives in Parma. | Where does Theo live? | Parma
- Theo's cousin moved to Siena.
Maya works at Bosch. | Where does Maya work? | Bosch
- Maya left the party early.
Tom drives a Toyota. | What does Tom drive? | Toyota
- Tom sold his old tent.
"""
