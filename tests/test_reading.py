"""Frames, and the reading of statements and questions by them."""
# ruff: noqa: E501

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import vividmem
from vividmem import (
    ConfigError,
    VividMem,
    asked,
    claims,
    fits_known,
    frames_of,
    is_question,
    is_small_talk,
    kinds_of,
    updates,
)

# family | statements | questions
FAMILIES = """
home | I live in Porto; We moved to Ghent last year; Our flat is in Turku | where do I live; which city am I based in
origin | I come from Malta; I grew up in Cork; My hometown is Graz | where am I from; where did I grow up
citizenship | I'm a Danish citizen; I hold a Swiss passport; My nationality is Irish | what is my nationality; which passport do I hold
employer | I work at Fernhill; I just joined Larkspur; My employer is Bosch | where do I work; who is my employer
title | I work as a nurse; I'm a carpenter; They promoted me to shift lead | what do I do for a living; what is my job title
school | I study at Aalto; I enrolled at Heidelberg; My university is McGill | where do I study; which university do I go to
degree | I major in physics; My major is linguistics; I'm doing a degree in law | what is my major; what do I study
manager | I report to Karin; My boss is Olaf; Stefan is my line manager | who is my manager; who do I report to
team | I'm on the Payments team; My team is Platform; I work in the Fraud team | which team am I on; what department am I in
partner | I'm married to Oskar; My girlfriend is Zoe; I'm dating Luca | who is my partner; who am I married to
marital | I'm single; We got divorced in May; I'm married | am I married; what is my marital status
child_count | We have two kids; I have three children; I'm a parent of four | how many kids do I have; how many children do we have
children | My son is called Otto; Our daughter is Mia; My kid is named Finn | what is my son called; what is my daughter's name
siblings | My brother is called Ivo; My sister is Nadia; My twin is named Lea | what is my brother called; who is my sister
parents | My mother is called Rosa; My father is Theo; My dad is named Karl | what is my mother called; who is my father
pet | We adopted a greyhound; I have a dog; My pet is a rabbit | what pet do I have; which animal do we have
friend | My best friend is Tasha; Noor is my best friend; My bestie is Kim | who is my best friend; who is my closest friend
roommate | I live with Tom; My flatmate is Kim; My roommate is Ben | who do I live with; who is my roommate
age | I'm 34; I turned 35 last week; I am 41 years old | how old am I; what is my age
birthday | My birthday is 6 June; I was born on 9 July; My birthday is on May 3rd | when is my birthday; when was I born
blood | My blood type is A positive; I have blood group O negative; My blood group is AB negative | what is my blood type; which blood group do I have
phone_number | My phone number is 555 0101; Reach me on 555 0199; My mobile number is 07700 900123 | what is my phone number; which number can I be called on
email | My email is ana@post.example; Write to me at bo@post.example; My e-mail address is cy@post.example | what is my email; what is my e-mail address
name | My name is Lena Berg; Call me Max; I go by Robin | what is my name; what should you call me
car | I drive a Honda; My car is a Volvo; We own a Skoda | what do I drive; which car do I have
commute | I cycle to work; I take the train to work; I commute by tram | how do I get to work; how do I commute
phone | My phone is a Pixel; I have an iPhone; I upgraded to a Galaxy | which phone do I have; what phone do I use
laptop | My laptop is a ThinkPad; I work on a MacBook; I got a Dell XPS | which laptop do I have; what computer do I use
system | I run Fedora; My laptop runs Ubuntu; My operating system is Debian | which operating system do I run; what OS do I use
editor | I use Neovim; My editor is Emacs; I write all my code in Zed | which editor do I use; what do I code in
browser | I use Firefox; My browser is Vivaldi; I switched to Brave | which browser do I use; what browser do I have
tool | I take notes in Obsidian; We use Slack; My password manager is Bitwarden | where do I keep my notes; which password manager do I use
diet | I'm vegan; I've gone vegetarian; I follow a keto diet | what diet do I follow; am I vegetarian
allergy | I'm allergic to peanuts; I have a peanut allergy; I developed an allergy to latex | what am I allergic to; do I have an allergy
drink | My usual is a flat white; I drink green tea; My coffee order is a cortado | what do I drink; what is my coffee order
gym | I train at PureGym; My gym is Basic-Fit; I signed up at SATS | which gym do I go to; where do I work out
sport | I play tennis; I took up padel; My sport is judo | which sport do I play; what sport do I do
instrument | I play the violin; I'm learning the cello; I took up the banjo | what instrument do I play; which instrument do I play
hobby | My hobby is pottery; I got into birdwatching; I collect stamps | what is my hobby; what do I do in my free time
speaks | I speak Dutch; I'm fluent in Finnish; My mother tongue is Welsh | which languages do I speak; what is my mother tongue
learns | I'm learning Spanish; I take Estonian lessons; I started learning Korean | which language am I learning; what language do I take lessons in
doctor | My GP is Dr Patel; I'm a patient of Dr Brandt; Dr Moss is my doctor | who is my doctor; who is my GP
dentist | Dr Ibsen is my dentist; My dentist is Dr Lee; Dr Ruiz looks after my teeth | who is my dentist; who looks after my teeth
therapist | My therapist is Ines; I see Joao for therapy; Lea is my psychologist | who is my therapist; who is my psychologist
stylist | My barber is Ali; Rosa cuts my hair; My hairdresser is Kim | who cuts my hair; who is my barber
vet | Our vet is Dr Hund; Dr Katz is our vet; My vet is Dr Maus | who is our vet; who treats the dog
landlord | My landlord is Mr Holm; I rent from Mrs Berg; I pay my rent to Mr Lund | who is my landlord; who do I rent from
medication | I take metformin; I'm on 50 mg of sertraline; My medication is losartan | what medication do I take; which pills am I on
health | I have asthma; I suffer from migraines; I was diagnosed with diabetes | what condition do I have; what was I diagnosed with
bedtime | I go to bed at 11; Lights out is at 9:30; My bedtime is 10 pm | when do I go to bed; what is my bedtime
waketime | I wake up at 7; I get up at 5:30; My alarm is set for 6 | when do I wake up; what time do I get up
schedule | I work nights; I'm on the early shift; I work part-time | which shift do I work; what hours do I work
bank | I bank with Chase; My savings are parked with Triodos; My bank is Citi | which bank do I use; where do I keep my money
insurance | I'm insured with Allianz; My car insurance is with AXA; My insurer is Aviva | who insures me; which insurance do I have
provider | My internet provider is Telia; We're with Vodafone; My carrier is Elisa | who is my internet provider; which carrier do I use
streaming | I subscribe to Netflix; I listen to music on Spotify; My streaming service is Mubi | which streaming service do I use; where do I listen to music
reading | I'm reading Dune; The book on my nightstand is Emma; I started reading Circe | what am I reading; which book is on my nightstand
watching | I'm watching Severance; We started watching Silo; My show is Fargo | what show am I watching; which series do I watch
gaming | I'm playing Hades; My game is Zelda; I started playing Factorio | which game do I play; what video game am I playing
supports | I support Arsenal; I'm a fan of Chelsea; I root for Everton | which football club do I support; which team do I root for
goal | My goal is to run a marathon; I'm saving for a boat; I'm training for a triathlon | what is my goal; what am I saving for
trip | We're flying to Crete; I booked a trip to Japan; My next holiday is in Spain | where is my next trip; where do we go on holiday
project | I work on Falcon; My project is Heron; I was assigned to Osprey | what project do I work on; which project am I assigned to
status | Project Falcon is on hold; The loyalty app is in testing; The migration is done | what is the status of Falcon; what stage is the loyalty app in
deadline | The grant deadline is May 3; The thesis is due on 1 June; The report is due by Friday | when is the grant deadline; when is the thesis due
meeting | Standup is at 10; Our retro is on Thursday; Book club meets on Tuesdays | when is standup; which day is the retro
meeting_place | The retro takes place in Lima; We meet in Oslo; The meeting room is Lima | where does the retro take place; which room do we meet in
price | The ticket costs 30 euros; The monthly fee is 12 dollars; Our hourly rate is 90 euros | how much does the ticket cost; what is the monthly fee
rent | My rent is 900 euros; Our rent went up to 950; I pay 800 euros in rent | how much is my rent; what rent do I pay
salary | My salary is 3000 euros; I earn 3400 euros; I got a raise to 3600 euros | how much do I earn; what is my salary
budget | The budget is 40k; We have a budget of 30k; The marketing budget is 25k | how big is the budget; what is our budget
database | The stack uses PostgreSQL; Our database is MySQL; We store everything in MongoDB | which database do we use; where do we store data
framework | The frontend is written in React; Our framework is Django; The shop is built with Svelte | which framework do we use; what is the frontend built with
code_language | The worker is written in Rust; I code in Java; Our backend language is Go | which programming language do we use; what do I code in
cloud | We host everything on AWS; We deploy to Hetzner; Our cloud is Azure | which cloud do we use; where do we host
ci | Our CI is Jenkins; We use GitHub Actions; Our monitoring is Grafana | which CI do we use; what is our monitoring
version | We're on version 2.3; The gateway is at version 2.4; We upgraded to Python 3.12 | which version are we on; what version is the gateway
device | The printer is broken; The heating is on; The lift is out of order | is the printer broken; is the heating on
oncall | Mia is on call; oncall: Tom; Ana took over the pager from Bo | who is on call; who has the pager now
owner | Mia owns the payments service; Tom maintains the gateway; Ana is in charge of the billing service | who owns the payments service; who is in charge of the billing service
taste | I love olives; I hate cilantro; I can't stand jazz | do I like olives; what do I hate
habit | I smoke; I quit smoking; I started vaping | do I smoke; do I have a bad habit
permit | I'm allowed to eat peanuts; I'm not allowed to drive; Milo is allowed to eat nuts | what am I allowed to eat; am I allowed to drive
religion | I converted to Judaism; My religion is Islam; I vote for the Greens | what is my religion; who do I vote for
size | My shoe size is 42; I wear size 44; My height is 180 cm | what is my shoe size; how tall am I
glasses | I wear glasses; I wear contact lenses; My haircut is a bob | do I wear glasses; what is my haircut
office | I sit on the third floor; My desk is in the basement; I work from the home office | where is my desk; which floor do I sit on
"""
# What is known | a sentence that changes nothing of it.
TRAPS = """
I live in Porto | I took the train to Lisbon for a conference.
I live in Porto | My flat was flooded on Tuesday but it's fine again.
I live in Porto | The Lisbon office sent us new badges.
I live in Porto | Grew up with postcards from Vienna on the kitchen wall.
I live in Porto | We stayed at a flat in Rome with a huge balcony.
I live in Porto | My landlord owns three flats in Ghent.
I live in Porto | Watched a documentary about Berlin.
I live in Porto | A postcard from Oslo arrived.
I work at Siemens | I had lunch with my friend from Bosch.
I work at Siemens | I joined the call late.
I work at Siemens | Bosch rejected my application two years ago.
I work at Siemens | I left the keys at the office.
I work at Siemens | We presented our badge system to Philips.
I work at Siemens | Our supplier is Philips.
I work at Siemens | My contract negotiations with Google Cloud start on Monday.
I'm a nurse | I took my son to the doctor.
I'm a nurse | The new manager is a former teacher.
I'm a nurse | A plumber came to fix the sink.
I'm a nurse | I'm acting as a judge at the bake sale.
I commute by bike | I took the bus today.
I commute by bike | The train was late, so my boss missed the meeting.
I commute by bike | Someone left an umbrella on the tram.
I drive a Honda | I rented a Fiat in Sicily.
I drive a Honda | My neighbour bought a Tesla.
I drive a Honda | A BMW blocked my driveway.
I drive a Honda | I washed the neighbour's Volvo.
I drive a Honda | I test-drove a Skoda at the dealer.
I drive a Honda | I moved the car to the other side of the street.
I have an iPhone | I found a Pixel on the bus and handed it in.
I have an iPhone | I bought Alex a Galaxy for his birthday.
I have an iPhone | The Samsung fridge keeps beeping.
I have an iPhone | My phone fell into the sink.
My laptop is a ThinkPad | Helped my dad set up his MacBook.
My laptop is a ThinkPad | The keyboard on the MacBook in the meeting room is sticky.
I bank with Chase | I chased the bus down the street.
I bank with Chase | The ING branch on the corner burned down.
I bank with Chase | I transferred 50 euros to Ana's Revolut.
I bank with Chase | Citi sent me a spam letter about credit cards.
I'm vegan | I cooked steak for my in-laws.
I'm vegan | My roommate is vegetarian.
I'm vegan | They serve a keto menu at the canteen.
I'm allergic to peanuts | My son ate walnuts for the first time.
I'm allergic to peanuts | I bought peanuts for the squirrels.
My usual is a flat white | I ordered a green tea because the machine was broken.
My usual is a flat white | I spilled a latte on my keyboard.
My usual is a flat white | He brought me a cappuccino.
I train at PureGym | The McFit on Main Street closed down.
I play the violin | My daughter started the cello.
I play the violin | I listened to a piano recital.
I play tennis | We watched the football at the pub.
I'm learning Spanish | The waiter spoke French to us.
I'm learning Spanish | I read a Japanese novel in translation.
I'm learning Spanish | My cousin is learning Korean.
My dentist is Dr Lee | I met Dr Ruiz at a party.
My GP is Dr Patel | Dr Brown operated on my mother.
I take metformin | I gave the dog his prednisone.
I take metformin | I picked up my aunt's insulin from the pharmacy.
I wake up at 7 | I woke up at 4 because of the storm.
I wake up at 7 | The meeting is at 9.
I go to bed at 11 | Last night I went to bed at 2.
Standup is at 10 | Lunch is at 12.
Standup is at 10 | Tomorrow's standup is at 11 because of the holiday.
The grant deadline is May 3 | The thesis deadline is June 1.
The grant deadline is May 3 | I submitted the grant draft to Ana on April 2.
My rent is 900 euros | I paid 1,200 euros for the new fridge.
My rent is 900 euros | Ana's rent is 700 euros.
The billing service uses Postgres | The search service uses Elasticsearch.
The billing service uses Postgres | We tested MySQL for the billing service and dropped the idea.
The billing service uses Postgres | I read a blog post about MongoDB.
The billing service is down | The search service is up.
We deploy on AWS | Azure had an outage.
We're on version 2.3 | Version 4.0 of the other library breaks everything.
I use vim | My colleague swears by Emacs.
I use vim | I opened the file in nano on the server.
I use Firefox | The bug only happens in Chrome.
My manager is Angela | I emailed Stefan about the appraisal form.
My manager is Angela | Angela is on leave, so Piotr approves holiday this week.
I'm married to Oskar | I danced with Luca at the wedding.
I'm married to Oskar | Oskar left for Berlin this morning.
I'm on the Payments team | The Fraud team moved to the third floor.
I'm reading Dune | My book club wants to read Emma next.
I'm reading Dune | I gave Circe to my sister.
I'm watching Severance | My kids watch Bluey all day.
I'm insured with Allianz | A man from AXA rang the doorbell.
My internet provider is Vodafone | The neighbour's router is from Telekom.
I listen on Spotify | I cancelled the Netflix trial.
I am 34 | My brother turned 30.
My birthday is 6 June | Ana's birthday is 9 July.
My email is a@b.example | Please write to support@shop.example about the refund.
My favourite tea is sencha | Ana made rooibos for everyone.
I support Arsenal | Chelsea won on Saturday.
My best friend is Tasha | Noor and I went hiking.
I work nights | The night bus was empty.
We have a dog | I walked the neighbour's cat back home.
Nadia works at Fernhill | Nadia visited Larkspur for an interview.
Nadia works at Fernhill | Nadia's brother joined Larkspur.
My sister lives in Porto | I moved to Ghent.
My sister lives in Porto | My sister took the train to Madrid.
I live in Porto | My sister moved to Ghent.
I live in Porto | If I ever leave Porto it will be for Ghent.
I live in Porto | I dreamt I lived in Paris.
I live in Porto | We are thinking of moving to Ghent.
I live in Porto | I nearly moved to Ghent last year.
I play the oboe | Ivo likes the warehouse's new forklift.
I sit on the third floor | I switched seats with Jordan for the afternoon.
I live in Porto | Our sync moved to Thursday.
I live in Porto | I moved the sofa.
I own a Volvo | My Volvo is in the workshop, so I'm driving a Fiat until Friday.
I live in Turku | The parcel went to Helsinki by mistake.
I live in Turku | We flew to Athens on Friday.
I live in Turku | My grandparents' house in Bergen was sold.
I live in Turku | Berlin keeps calling me for interviews.
I live in Turku | I painted the kitchen in Turku green.
I live in Turku | Call me when you get to London.
I work for Philips | Siemens delivered the new scanner today.
I work for Philips | Our team played football against Bosch.
I work for Philips | I bought shares of Apple and Nvidia.
I work for Philips | I got a parking ticket outside Ikea.
I work for Philips | Google changed its logo.
I work as a welder | My wife became a team lead.
I work as a welder | I sent the plumber away.
I work as a welder | They named the school after a famous chef.
I cycle to work | Dad drives to work in a van.
I cycle to work | I missed the ferry on holiday.
I drive a Mazda | I parked behind a Volvo.
I drive a Mazda | The taxi was a Toyota.
I drive a Mazda | My son got a toy Porsche for Christmas.
I drive a Mazda | I sold my winter tyres to a guy with a Golf.
I use a Fairphone | The iPhone launch was boring.
I use a Fairphone | I set up an iPhone for my grandmother.
I use a Fairphone | Is the Pixel any good?
I work on a ThinkPad | The IT department bought thirty MacBooks for sales.
My bank is ING | I paid the plumber through Revolut's invoice link.
My bank is ING | ING sent me a new card.
My bank is ING | My mother keeps her money at Rabobank.
I'm vegetarian | We had a keto cookbook as a joke present.
I'm vegetarian | The restaurant has vegan options.
I'm allergic to cats | I fed the cat of my neighbour.
I'm allergic to cats | The hazelnuts were on sale.
I drink green tea | The office machine only makes espresso.
I drink green tea | I bought coffee for the guests.
I go to the gym at Basic-Fit | Basic-Fit raised its prices.
I play the piano | I carried the cello up the stairs for Mia.
I play the piano | The guitar in the window costs 900 euros.
I play badminton | I used to play tennis at school.
I play badminton | My knees hate running.
I speak Dutch | The manual is in German.
I'm learning Welsh | I forgot my Latin completely.
My dentist is Dr. Moss | Dr. Lamb cancelled the webinar.
My GP is Dr. Moss | My daughter's paediatrician is Dr. Lamb.
I take lisinopril | The vet prescribed prednisone for the dog.
I take lisinopril | I took two ibuprofen after the race.
I get up at 6 | On Sunday I got up at 10.
I get up at 6 | My flight leaves at 7.
The retro is on Thursday | The demo is on Monday.
The retro is on Thursday | I missed the retro on Thursday.
The thesis is due on 1 June | The library book is due on 9 May.
The budget is 40k | The team in Oslo has a budget of 90k.
My rent is 800 euros | The deposit was 1600 euros.
The shop uses MySQL | The interview question was about Redis.
The shop uses MySQL | Our competitor migrated to Postgres.
The frontend is written in React | A candidate showed us her Svelte project.
We host on Hetzner | AWS invited us to a summit.
We use GitHub | The GitLab talk was great.
The printer is broken | The coffee machine is working again.
The printer is broken | I opened the window next to the printer.
Project Falcon is on hold | Project Heron went live.
Mia owns the payments service | Tom owns a dog.
Mia owns the payments service | Mia handed the keys to Tom.
My boss is Karin | Karin's boss is Olaf.
My boss is Karin | My friend Olaf runs a bakery.
I'm married to Ben | Ben and I had dinner with Tom.
I'm on the Growth team | The Security team gave us a training.
I'm reading Emma | I returned Dracula to the library.
I'm reading Emma | The teacher read Frankenstein to the class.
I'm watching Fargo | I fell asleep during Silo at my sister's.
I play Zelda | My nephew sold his Minecraft account.
I have insurance with AXA | Allianz Arena was sold out.
My provider is Telia | My friend's Vodafone bill was huge.
I listen on Tidal | Spotify raised prices again.
I am 41 | There were 42 people at the party.
My number is 555 0101 | Their support line is 555 0199.
My name is Lena | The new intern is called Lina.
My favourite band is Muse | My brother's favourite band is Blur.
My best friend is Ada | Ada is moving to Oslo.
I work the night shift | Tom works the day shift.
We have a beagle | The neighbours adopted a greyhound.
I live with Tom | Tom lives for football.
I'm saving for a boat | My dad is saving for a car.
I have asthma | My colleague has diabetes.
I love olives | Tom hates olives.
I love olives | The olives at the market are expensive.
I smoke | The kitchen smoked after the fire.
I live in Porto | The train from Lisbon to Madrid was late.
I live in Porto | My uncle retired to Malaga.
I live in Porto | I keep mixing up Ghent and Bruges.
I live in Porto | Chicago is my favourite musical.
I live in Porto | We're staying in Ghent until Sunday.
I work at Bosch | I spoke at the Google campus last week.
I work at Bosch | I applied at Siemens but they never called.
I work at Bosch | I ordered lunch from Lidl.
I work at Bosch | My old boss moved to Philips.
I'm a teacher | My daughter wants to be a pilot.
I'm a teacher | I dressed up as a firefighter for carnival.
I drive a Fiat | I gave Tom a lift in his Mazda.
I drive a Fiat | Mechanics love old Volvos.
I drive a Fiat | My Fiat got a new exhaust.
My phone is a Pixel | I dropped my phone and cracked the screen.
My phone is a Pixel | I can't stand the iPhone keyboard.
My bank is Citi | I queued for an hour at Chase with my aunt.
My bank is Citi | I owe ING nothing.
I'm vegan | I baked a cheese cake for the vegetarian in our group.
My usual is an espresso | They were out of oat milk, so I had a black tea.
My gym is Elixia | I got lost on the way to SATS.
I play the flute | I'd love to play the harp one day.
I play the flute | The trumpet is too loud for our flat.
I speak Danish | I ordered in broken Italian.
My dentist is Dr. Hale | Dr. Kim gave a talk on teeth at school.
I take sertraline | My flatmate takes lithium.
I wake up at 6 | The baby woke up at 3.
Retro is on Tuesday | The release party is on Friday.
Retro is on Tuesday | This week's retro is on Wednesday.
My rent is 700 euros | I lost 300 euros at poker.
The api runs on Flask | We evaluated Django for the api.
Our database is MySQL | I learned Postgres at university.
We use Jenkins | We looked at GitHub Actions and stayed with Jenkins.
I use Emacs | Tom switched from Emacs to Zed.
We're on version 3.1 | The bug was fixed in version 2.9.
The lift is broken | Tom fixed the door next to the lift.
My manager is Ines | Ines hired Paul.
My wife is Ana | Ana met Carlos at the station.
I'm reading Emma | Emma called me yesterday.
I'm reading Emma | My sister gave me Circe for my birthday.
I'm watching Silo | Have you seen Andor?
My insurer is Axa | Allianz called me twice to sell me something.
I am 28 | I bought 29 candles.
My number is 555 0101 | Call the plumber on 555 0144.
My favourite colour is blue | The new sofa is green.
I love olives | I ate too many olives.
I work nights | The shop is open at night.
I quit smoking | The bar allows smoking.
Tom works at Bosch | Tom's wife works at Siemens.
Tom lives in Graz | I live in Linz.
My sister has a cat | I adopted a dog.
The payments service uses MySQL | The user service moved to Postgres.
Ana is my manager | Ana is on holiday, Bo covers for her.
I'm saving for a car | I spent my savings on a laptop.
My son is 5 | My daughter turned 6.
I have a dog | My dog ate the cat's food.
I support Arsenal | My brother supports Chelsea and never shuts up about it.
I use Slack at work | My book club uses Discord.
I live with Kim | Tom slept on our couch.
I'm on the Search team | The Ads team borrowed our desks.
I live in Bern | My cousin's wedding in Florence was lovely.
I live in Bern | I had a layover in Dubai.
I live in Bern | The Vienna team sends its regards.
I live in Bern | My flat in Bern has a new kitchen.
I work at Nokia | My neighbour got a job at Ericsson.
I work at Nokia | I gave a talk about Intel at work.
I work at Nokia | Our biggest customer is Airbus.
I'm an electrician | The electrician before me was a former chef.
I'm an electrician | My mother was a teacher.
I drive to work | Ana's bike was stolen at work.
I drive a Golf | The Golf in front of me broke down.
I drive a Golf | I sold cookies next to a Tesla dealer.
I have a Galaxy | My kids fight over the iPad.
I have a Galaxy | I charged Tom's iPhone in the car.
My laptop is a Yoga | Yoga class was cancelled.
I bank with N26 | I read that Revolut got a licence.
I bank with N26 | N26 blocked my card for a day.
I'm pescatarian | I cooked a vegan curry for Ben.
I'm allergic to latex | The gloves are made of nitrile.
I drink oolong | I brought coffee to my boss.
I play the harp | I sold two tickets for the piano concert.
I play squash | Squash soup is on the menu.
I do judo | My niece started karate.
I speak Polish | My boss speaks Polish too.
I'm learning Greek | The Greek restaurant closed.
My doctor is Dr. Wu | I took the cat to Dr. Katz.
I take insulin | My dad was prescribed statins.
I go to bed at 10 | The film ended at 11.
Choir is on Monday | The choir sang on Sunday.
The report is due on May 4 | The other report is due on May 9.
My rent is 600 euros | The repair cost 150 euros.
We use Postgres | The old system used Oracle DB.
We use Postgres | A customer asked whether we support MySQL.
The shop is written in Go | Go is a board game, too.
We host on Azure | The AWS bill of our rival leaked.
The website is up | The website of the bakery is down.
The heating is off | I switched the radio on.
Lena owns the search service | Lena asked Piotr about the search service.
My boss is Mona | Mona got a dog.
My boyfriend is Max | Max and I met Finn at a bar.
I'm in the Data team | The Design team won the hackathon.
I'm reading Circe | The film version of Dune is long.
I'm watching Dark | It got dark early.
I play Hades | My brother finished Celeste.
My ISP is KPN | KPN sent a technician.
I use Signal | The signal is weak in the cellar.
I'm 52 | The bus 53 was full.
I weigh 80 kg | My suitcase weighs 23 kg.
My favourite film is Alien | We watched Up last night.
I support Ajax | Feyenoord bought a new striker.
I live in Nantes | The new guy at work is from Lyon.
I live in Nantes | I sent a box of books to Lille.
I work at Adobe | A recruiter from Stripe wrote to me.
I work at Adobe | I returned the badge I found to the SAP visitor.
I'm a baker | I asked the plumber about the boiler.
I drive a Mini | I parked the Mini next to a Jeep.
I use an Oppo | My colleague's Pixel takes better photos.
I bank with Wise | A wise woman once told me to save.
I drink matcha | I made chai for my guests.
I play the tuba | They need a trombone for the concert.
I practise yoga | My dentist does boxing.
I'm learning Hindi | I overheard two people speaking Tamil.
I get up at 5 | The shop opens at 8.
The demo is at 3 | The demo yesterday ended at 4.
Our hourly rate is 90 euros | The plumber charged 120 euros.
The api is written in Rust | The candidate only knows Java.
We deploy to Heroku | I wrote a blog post about Fly.io.
The door is locked | The window is open.
Sam owns the search service | Sam sold his bike to Kim.
My flatmate is Joe | Joe's friend Amy stayed over.
I'm reading Solaris | I lent Foundation to Amy.
I listen on Deezer | The cafe plays Spotify all day.
I'm 61 | My grandson is 6.
My name is Olga | My aunt's name is Vera.
My favourite dish is ramen | I had lasagne today.
"""
# What is known | the update | the question | the new value | the old value
UPDATES = """
I live in Porto | I moved to Ghent. | where do I live? | Ghent | Porto
I live in Porto | Ghent is home now. | which city am I in? | Ghent | Porto
I live in Porto | We swapped Porto for Ghent. | where is my flat? | Ghent | Porto
I live in Porto | Since spring we've been renting a place in Ghent. | where do I live? | Ghent | Porto
I work at Siemens | I just joined Bosch. | who do I work for? | Bosch | Siemens
I work at Siemens | Bosch hired me last month. | who pays my salary? | Bosch | Siemens
I work at Siemens | I left Siemens for Bosch. | where do I work? | Bosch | Siemens
I'm a nurse | I retrained as a teacher. | what do I do for a living? | teacher | nurse
I drive a Honda | I gave up the Honda for a bike. | what do I drive? | bike | Honda
I drive a Honda | There's a Volvo in my garage now. | which car do I have? | Volvo | Honda
I drive a Honda | Sold the Honda, the new Skoda arrives with heated seats. | what car is mine? | Skoda | Honda
I have an iPhone | I unboxed the Pixel and moved my SIM over. | which phone do I have? | Pixel | iPhone
I have an iPhone | These days it's a Galaxy in my pocket. | what phone do I use? | Galaxy | iPhone
I bank with Chase | It's Citi I bank with these days. | which bank do I use? | Citi | Chase
I bank with Chase | My salary goes to Revolut now. | who do I bank with? | Revolut | Chase
My savings are parked with Triodos | I moved my savings to ING. | which bank do I use? | ING | Triodos
I'm vegan | I eat meat again, so call me an omnivore. | what diet do I follow? | omnivore | vegan
I'm vegetarian | I've gone vegan. | what do I eat? | vegan | vegetarian
My usual is a flat white | I've switched to matcha. | what do I drink? | matcha | flat white
I train at PureGym | I cancelled PureGym and signed up at McFit. | where do I work out? | McFit | PureGym
I play the violin | I traded the violin for a cello. | what instrument do I play? | cello | violin
I'm learning Spanish | I dropped Spanish and picked up Japanese instead. | which language am I learning? | Japanese | Spanish
My dentist is Dr Lee | Dr Ruiz looks after my teeth now. | who is my dentist? | Ruiz | Lee
My GP is Dr Patel | I've changed doctors; Dr Brown is my GP now. | who is my doctor? | Brown | Patel
I take metformin | My doctor switched me from metformin to insulin. | what medication am I on? | insulin | metformin
I wake up at 7 | My alarm rings at 5:30 these days. | when do I get up? | 5:30 | 7
Standup is at 10 | Standup is at 9:15. | when is standup? | 9:15 | 10
Standup is at 10 | They pushed standup to 10:30. | what time is standup? | 10:30 | 10
The grant deadline is May 3 | The grant deadline was extended to June 1. | when is the grant due? | June 1 | May 3
My rent is 900 euros | My rent went up to 950. | how much is my rent? | 950 | 900
The stack uses PostgreSQL | We migrated from PostgreSQL to MySQL. | which database do we use? | MySQL | PostgreSQL
The billing service uses Postgres | The billing service now runs on MySQL. | which database does the billing service use? | MySQL | Postgres
The billing service is down | The billing service is back up. | is the billing service up? | back up | down
We deploy on AWS | We moved everything from AWS to Hetzner. | where do we deploy? | Hetzner | AWS
I use vim | I've switched from vim to Zed. | which editor do I use? | Zed | vim
I use Firefox | Firefox is gone, Vivaldi is my default browser. | which browser do I use? | Vivaldi | Firefox
My manager is Angela | I report to Stefan now. | who is my manager? | Stefan | Angela
My manager is Angela | Stefan took over from Angela as my boss. | who do I report to? | Stefan | Angela
I'm married to Oskar | Oskar and I got divorced. | am I married? | divorced | Oskar
I'm dating Luca | I broke up with Luca; I'm seeing Henrik. | who am I dating? | Henrik | Luca
I'm on the Payments team | I transferred to the Fraud team. | which team am I on? | Fraud | Payments
I'm reading Dune | I finished Dune and started Circe. | what am I reading? | Circe | Dune
I'm watching Severance | We've moved on to Andor. | what show am I watching? | Andor | Severance
I'm insured with Allianz | I switched my car insurance to AXA. | who insures me? | AXA | Allianz
My internet provider is Vodafone | We're with Telekom now. | who is our internet provider? | Telekom | Vodafone
I listen to music on Spotify | I ditched Spotify for Tidal. | which music service do I use? | Tidal | Spotify
I am 34 | I turned 35 last week. | how old am I? | 35 | 34
My email is a@b.example | My new email is c@d.example. | what is my email? | c@d.example | a@b.example
My favourite tea is sencha | My favourite tea is now rooibos. | what is my favourite tea? | rooibos | sencha
My favourite colour is blue | Green is my favourite colour these days. | what is my favourite colour? | Green | blue
I support Arsenal | I root for Chelsea now. | which club do I support? | Chelsea | Arsenal
I work nights | I'm on the day shift since Monday. | which shift do I work? | day shift | nights
Nadia works at Fernhill | Nadia just joined Larkspur. | where does Nadia work? | Larkspur | Fernhill
My sister lives in Porto | My sister moved to Ghent. | where does my sister live? | Ghent | Porto
My brother drives a Fiat | My brother bought a Skoda. | what does my brother drive? | Skoda | Fiat
I love olives | I hate olives. | do I like olives? | olives | olives
Ines eats meat | Ines no longer eats meat. | does Ines eat meat? | meat | meat
The deploy is on | The deploy is off. | is the deploy on? | off | on
The blue kettle is broken | The blue kettle works again. | does the blue kettle work? | works | broken
Milo is allowed to eat peanuts | Milo is not allowed to eat peanuts. | may Milo eat peanuts? | peanuts | peanuts
I live in Turku | Helsinki is where you'll find me these days. | which town am I living in? | Helsinki | Turku
I live in Turku | We bought a flat in Tampere and moved in last month. | where is my home? | Tampere | Turku
I live in Turku | My new address is in Vilnius. | what city do I live in? | Vilnius | Turku
I work for Philips | I handed in my notice at Philips; Ericsson made me a better offer and I took it. | who is my employer? | Ericsson | Philips
I work for Philips | My badge says Nokia now. | where do I work? | Nokia | Philips
I work for Philips | Day one at Ericsson is done. | what company am I at? | Ericsson | Philips
I work as a welder | They promoted me to shift lead. | what's my job? | shift lead | welder
I'm a cashier | I've become a baker. | what do I do for work? | baker | cashier
I cycle to work | I've been taking the tram to work since October. | how do I commute? | tram | cycle
I take the bus to work | The bus is history, I walk to work. | how do I get to the office? | walk | bus
I drive a Mazda | The Mazda went to the scrapyard; we lease a Kia. | what car do we have? | Kia | Mazda
I drive a Mazda | Picked up the keys to our Polestar. | what do I drive? | Polestar | Mazda
I use a Fairphone | My Fairphone died, so I upgraded to a Pixel. | what's my phone? | Pixel | Fairphone
My laptop is a Dell | Work gave me a MacBook Pro to replace the Dell. | which laptop do I have? | MacBook Pro | Dell
I run Ubuntu | I've wiped Ubuntu and installed Fedora. | which OS do I run? | Fedora | Ubuntu
My bank is ING | I closed my ING account and opened one at Bunq. | where do I keep my money? | Bunq | ING
My bank is ING | All our savings sit with Rabobank since the merger. | which bank do I use? | Rabobank | ING
I'm vegetarian | I'm pescatarian now. | what's my diet? | pescatarian | vegetarian
I drink green tea | Coffee has replaced green tea in my mornings. | what do I drink in the morning? | Coffee | green tea
I work out at Basic-Fit | My membership is with SATS now. | which gym do I go to? | SATS | Basic-Fit
I play the piano | The piano is gone, I play the accordion instead. | what instrument do I play? | accordion | piano
I'm learning Welsh | I gave up Welsh and started Dutch lessons. | what language am I studying? | Dutch | Welsh
My dentist is Dr. Moss | I've switched dentists, it's Dr. Lamb. | who checks my teeth? | Lamb | Moss
My therapist is Ines | I see Joao for therapy now. | who is my therapist? | Joao | Ines
I take lisinopril | Lisinopril gave me a cough, so I'm on losartan now. | what medicine do I take? | losartan | Lisinopril
I get up at 6 | I now get up at 5. | when do I wake up? | 5 | 6
I go to bed at 11 | Lights out is at 9:30 these days. | when do I go to bed? | 9:30 | 11
The retro is on Thursday | The retro moved to Friday. | when is the retro? | Friday | Thursday
The thesis is due on 1 June | My supervisor extended the thesis deadline to 1 August. | when is my thesis due? | 1 August | 1 June
The budget is 40k | Finance cut the budget to 30k. | how big is the budget? | 30k | 40k
My salary is 3000 euros | I got a raise to 3400 euros. | how much do I earn? | 3400 | 3000
The shop uses MySQL | The shop moved to Postgres. | what database is behind the shop? | Postgres | MySQL
The frontend is written in React | We rewrote the frontend in Svelte. | what is the frontend built with? | Svelte | React
We host on Hetzner | Since May everything runs on OVH. | where do we host? | OVH | Hetzner
Our CI is Jenkins | GitHub Actions replaced Jenkins. | which CI do we use? | GitHub Actions | Jenkins
We're on Python 3.9 | We upgraded to Python 3.12. | which Python version are we on? | 3.12 | 3.9
The printer is broken | The printer is fixed. | does the printer work? | fixed | broken
Project Falcon is on hold | Falcon was approved and is in progress. | what's the status of Falcon? | in progress | on hold
Mia owns the payments service | Tom took over the payments service from Mia. | who owns the payments service? | Tom | Mia
My boss is Karin | Olaf is my new boss. | who do I report to? | Olaf | Karin
I'm single | I got married in May. | what's my marital status? | married | single
My girlfriend is Mia | Mia and I split up; my girlfriend is Zoe now. | who is my girlfriend? | Zoe | Mia
I'm on the Growth team | I'm with the Security team now. | which team am I in? | Security | Growth
I'm reading Emma | Emma is finished, I'm on to Dracula. | what book am I reading? | Dracula | Emma
I'm watching Fargo | We're hooked on Silo now. | which series am I watching? | Silo | Fargo
I play Zelda | I've finished Zelda and I'm playing Hades. | which game am I playing? | Hades | Zelda
My provider is Telia | We changed our internet provider to Elisa. | who's my internet provider? | Elisa | Telia
I subscribe to Netflix | I cancelled Netflix and got Mubi. | which streaming service do I have? | Mubi | Netflix
My number is 555 0101 | My new number is 555 0199. | what's my phone number? | 555 0199 | 555 0101
My name is Lena Berg | I took my husband's name, I'm Lena Holm now. | what is my name? | Lena Holm | Lena Berg
I work the night shift | I'm on the early shift these days. | what shift am I on? | early shift | night shift
I live with Tom | Tom moved out; Kim is my new flatmate. | who do I live with? | Kim | Tom
I'm saving for a boat | I'm saving for a house instead of a boat. | what am I saving for? | house | boat
I smoke | I quit smoking. | do I smoke? | smok | smoke
Tom works at Bosch | Tom left Bosch; he's at Siemens now. | where does Tom work? | Siemens | Bosch
My mum lives in Lyon | Mum moved to Nantes. | where does my mother live? | Nantes | Lyon
Ana's manager is Piotr | Ana reports to Olga now. | who is Ana's manager? | Olga | Piotr
Our daughter plays the flute | Our daughter swapped the flute for the harp. | what does our daughter play? | harp | flute
I live in Bern | We've found a place in Basel and handed back the keys in Bern. | where do I live? | Basel | Bern
I live in Bern | After ten years in Bern I packed up; home is now Zurich. | which city do I live in? | Zurich | Bern
I work at Nokia | Starting this month I'm on Ericsson's payroll. | who do I work for? | Ericsson | Nokia
I work at Nokia | Nokia let me go, and Intel took me on. | who is my employer? | Intel | Nokia
I'm an electrician | I stopped being an electrician and work as a teacher now. | what's my profession? | teacher | electrician
I drive to work | I bike to work these days. | how do I get to work? | bike | drive
I drive a Golf | My new car is a Kia. | what car do I drive? | Kia | Golf
I drive a Golf | The Golf was replaced by a Tesla. | what do I drive? | Tesla | Golf
I have a Galaxy | My Galaxy is in a drawer, I carry a Pixel now. | which phone do I carry? | Pixel | Galaxy
My laptop is a Yoga | A MacBook Air has replaced my Yoga. | which laptop do I use? | MacBook Air | Yoga
I bank with N26 | I've moved my account from N26 to ING. | which bank am I with? | ING | N26
I'm pescatarian | I stopped eating fish, I'm fully vegan now. | what's my diet? | vegan | pescatarian
I drink oolong | My morning drink has been espresso since May. | what do I drink in the morning? | espresso | oolong
I go to the gym at SATS | I left SATS and train at Elixia. | where do I train? | Elixia | SATS
I play the harp | I've put the harp away and taken up the flute. | what instrument do I play? | flute | harp
I'm learning Greek | My Greek course ended; Turkish is what I'm learning now. | which language am I learning? | Turkish | Greek
My doctor is Dr. Wu | Dr. Wu retired and Dr. Lind took over. | who is my doctor? | Lind | Wu
I take insulin | I'm off insulin and on metformin now. | what medication do I take? | metformin | insulin
I go to bed at 10 | I go to bed at 9 now. | when do I go to bed? | 9 | 10
Choir is on Monday | Choir has been moved from Monday to Wednesday. | when is choir? | Wednesday | Monday
The report is due on May 4 | The report is now due on May 11. | when is the report due? | May 11 | May 4
My rent is 600 euros | The landlord raised my rent to 680 euros. | how much is my rent? | 680 | 600
We use Postgres | We replaced Postgres with MySQL. | which database do we use? | MySQL | Postgres
The shop is written in Go | The shop has been rewritten in Rust. | what language is the shop in? | Rust | Go
We host on Azure | We left Azure for AWS. | where do we host? | AWS | Azure
The website is up | The website went down at noon. | is the website up? | down | up
The heating is off | The heating is back on. | is the heating on? | back on | off
Lena owns the search service | The search service belongs to Piotr now. | who owns the search service? | Piotr | Lena
My boss is Mona | Mona left, my boss is Erik now. | who is my boss? | Erik | Mona
My boyfriend is Max | I'm with Finn now, Max and I are over. | who is my boyfriend? | Finn | Max
I'm in the Data team | I've been moved to the Design team. | which team am I in? | Design | Data
I'm reading Circe | I put Circe down and picked up Dune. | what am I reading? | Dune | Circe
I'm watching Dark | We're done with Dark and have started Severance. | what are we watching? | Severance | Dark
My ISP is KPN | Our internet comes from Ziggo now. | who is our internet provider? | Ziggo | KPN
I use Spotify | Tidal has my playlists now, Spotify is cancelled. | where do I listen to music? | Tidal | Spotify
I'm 52 | I'm 53 now. | how old am I? | 53 | 52
My favourite film is Alien | My favourite film is Up these days. | what's my favourite film? | Up | Alien
I support Ajax | I've become a Feyenoord fan. | which club do I support? | Feyenoord | Ajax
Ben works at Nokia | Ben has a new job at Intel. | where does Ben work? | Intel | Nokia
My brother lives in Bern | My brother relocated to Geneva. | where does my brother live? | Geneva | Bern
"""
ROWS = [re.split(r" \| ", row) for row in FAMILIES.strip().split("\n")]
STATEMENTS = [(row[0], text) for row in ROWS for text in row[1].split("; ")]
QUESTIONS = [(row[0], text) for row in ROWS for text in row[2].split("; ")]


def pairs(table):
    return [tuple(row.split(" | ")) for row in table.strip().split("\n")]


def effects(known, update):
    """What *update* does to the claims of the statement *known*."""
    held = claims(known)
    read = [claim for claim in claims(update) if claim.strength >= vividmem.TOO_WEAK]
    new = [*read, *fits_known(update, held)]  # what is read less surely, the gate weighs
    return {updates(one, other) for one in new for other in held}


def changes(known, update):
    return bool(effects(known, update) & {"replaces", "ends"})


def values(text, family, speaker=""):
    return [c.value for c in claims(text, speaker) if c.family == family]


def slots(question):
    return [slot[:2] for slot in asked(question)]


def test_every_family_has_three_statements_and_two_questions():
    assert {row[0] for row in ROWS} == set(frames_of().rows)
    assert all(row[1].count("; ") >= 2 and row[2].count("; ") >= 1 for row in ROWS)


@pytest.mark.parametrize(("family", "text"), STATEMENTS)
def test_statement_is_read_as_its_family(family, text):
    assert family in {claim.family for claim in claims(text)}


@pytest.mark.parametrize(("family", "text"), QUESTIONS)
def test_question_asks_for_its_family(family, text):
    assert family in [slot.family for slot in asked(text + "?")[:2]]


WORDS = sorted({word for row in ROWS for text in row for word in text.split()})


@given(
    st.lists(
        st.sampled_from([*WORDS, "zidrit", "Plumubor", "42", "@", "x@y.org", "noon"]), max_size=6
    )
)
def test_a_question_is_passed_over_only_if_a_closer_look_finds_nothing(chosen):
    question = " ".join(chosen)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(vividmem, "_may_ask", lambda token, table: True)
        looked_at = asked(question)
    assert asked(question) == looked_at


READ_AS_CHANGES = {
    "The other report is due on May 9.",
    "We presented our badge system to Philips.",
}
KNOWN_MISSES = {"Day one at Ericsson is done."}


def expected(rows, failing, reason):
    """*rows* as parameters; those whose second text is among *failing* must fail."""
    mark = pytest.mark.xfail(reason=reason, strict=True)
    return [pytest.param(*row, marks=[mark] if row[1] in failing else []) for row in rows]


@pytest.mark.parametrize(
    ("known", "text"), expected(pairs(TRAPS), READ_AS_CHANGES, "read as a change")
)
def test_trap_changes_nothing(known, text):
    assert claims(known)
    with vividmem.VividMem() as mem:
        mem.observe(known)
        assert mem.observe(text).contradicts == ()


@pytest.mark.parametrize(
    ("known", "text", "question", "current", "stale"),
    expected(pairs(UPDATES), KNOWN_MISSES, "too indirect"),
)
def test_update_is_read(known, text, question, current, stale):
    assert changes(known, text)
    families = {claim.family for claim in claims(known)}
    assert families & {slot.family for slot in asked(question)[:3]}


class TestCases:
    """The numbers are those of CASES.md."""

    def test_03_joining_is_a_change_of_employer(self):
        known, new = "Nadia works at Fernhill", "Nadia just joined Larkspur"
        assert changes(known, new)
        assert slots("where does Nadia work?")[0] == ("nadia", "employer")
        assert values(new, "employer") == ["Larkspur"]

    @pytest.mark.parametrize(
        ("known", "new"),
        [
            ("Milo is allowed to eat peanuts", "Milo is not allowed to eat peanuts"),
            ("the deploy is on", "the deploy is off"),
            ("My rent is 900 euros", "My rent is 950 euros"),
            ("I eat meat", "I no longer eat meat"),
        ],
    )
    def test_05_opposites_change(self, known, new):
        assert changes(known, new)

    def test_08_favourites(self):
        assert changes("My favourite tea is sencha", "My favourite tea is now rooibos")
        assert not changes("My favourite tea is sencha", "My favourite band is Muse")
        assert ("", "open", "favourite tea") in [a[:3] for a in asked("what is my favourite tea?")]

    def test_09_hate_replaces_love(self):
        assert changes("I love olives", "I hate olives")
        assert not changes("I love olives", "I hate capers")

    @pytest.mark.parametrize(
        ("known", "new"),
        [
            ("I live in Porto", "I moved to Ghent"),
            ("I work at Siemens", "I just joined Bosch"),
            ("My phone number is 555 0101", "My phone number is 555 0199"),
            ("My manager is Angela", "I report to Stefan now"),
            ("I work on Falcon", "I was assigned to Heron"),
            ("I'm single", "I got married in May"),
        ],
    )
    def test_10_attributes_supersede_alike(self, known, new):
        assert changes(known, new)

    @pytest.mark.parametrize("known", ["Ivo manages the warehouse", "Ivo plays the oboe"])
    def test_11_liking_something_there_changes_neither(self, known):
        assert not changes(known, "Ivo likes the warehouse's new forklift")

    @pytest.mark.parametrize(
        ("known", "new"),
        [
            ("Anna loves cilantro", "Ben can't stand cilantro"),
            ("The blue kettle is broken", "The red kettle is not broken"),
            ("Alex plays chess", "Not only does Alex play chess, he teaches it"),
        ],
    )
    def test_12_no_conflict(self, known, new):
        assert not changes(known, new)

    def test_13_polarity_and_past_are_kept(self):
        (hate,) = (c for c in claims("I hate cilantro in soup") if c.family == "taste")
        assert not hate.positive
        assert claims("You don't need to ping me about builds") == ()
        assert all(c.status in ("ended", "past") for c in claims("Bruno used to smoke"))
        assert {c.status for c in claims("Ines no longer eats meat")} == {"ended"}

    def test_14_migration(self):
        assert changes("The stack uses PostgreSQL", "We migrated from PostgreSQL to MySQL")
        (claim,) = (
            c for c in claims("We migrated from PostgreSQL to MySQL") if c.family == "database"
        )
        assert (claim.value, claim.old) == ("MySQL", "PostgreSQL")

    def test_16_not_allergic(self):
        text = "I'm not allergic to walnuts, that was the guest"
        assert [c.positive for c in claims(text) if c.family == "allergy"] == [False]
        assert changes("I'm allergic to walnuts", text)

    def test_17_past_told_today_displaces_nothing(self):
        assert not changes("I live in Turku", "Back in 2024 I lived in Umea")
        assert [c.status for c in claims("back in 2024 I lived in Umea")] == ["past"]
        assert asked("where did I live before?")[0].past

    def test_19_moving(self):
        assert changes("I live in Porto", "I moved to Ghent")
        assert slots("where do I live?")[0] == ("", "home")

    @pytest.mark.parametrize(
        ("known", "new"),
        [
            ("I live in London", "I live in Chicago"),
            ("I love jazz", "I hate jazz"),
            ("I love jazz", "I dont love jazz"),
            ("The budget is 500 dollars", "The budget is 800 dollars"),
            ("I smoke", "I quit smoking"),
        ],
    )
    def test_20_contradictions(self, known, new):
        assert changes(known, new)

    def test_47_small_talk_teaches_nothing(self):
        for text in ("thanks!", "ok", "HEARTBEAT", "sounds good", "Hi there!", "👍", "..."):
            assert is_small_talk(text)
            assert claims(text) == ()
        assert not is_small_talk("Thanks to Ana I live in Ghent")

    def test_48_a_guest_is_the_subject_of_her_own_words(self):
        assert {c.subject for c in claims("I collect stamps", speaker="Pia")} == {"pia"}
        assert claims("I'd take the Lisbon tram") == () or all(
            c.status == "hypothetical" for c in claims("I'd take the Lisbon tram")
        )

    @pytest.mark.parametrize(
        "text", ["Do you remember Heidi?", "please remind me", "can you book a flight to Oslo"]
    )
    def test_49_questions_and_requests_teach_nothing(self, text):
        assert is_question(text)
        assert claims(text) == ()

    def test_61_questions_share_no_word_with_the_statement(self):
        assert values("My savings are parked with Triodos", "bank") == ["Triodos"]
        assert slots("Which bank do I use?")[0] == ("", "bank")
        assert values("Dr Ibsen is my dentist", "dentist") == ["Dr Ibsen"]
        assert slots("who looks after my teeth?")[0] == ("", "dentist")

    def test_62_back_in_the_old_place(self):
        assert changes("I moved to Ghent", "I'm back in Porto")


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("My sister lives in Porto", "sister"),
        ("My sister's dentist works at Larkspur", "sister>dentist"),
        ("Theo's brother lives in Graz", "theo>brother"),
        ("Nadia works at Fernhill", "nadia"),
        ("The billing service uses Postgres", "#billing service"),
        ("Our flat is in Turku", ""),
        ("Mum lives in Lyon", "mother"),
    ],
)
def test_subject(text, subject):
    assert subject in {claim.subject for claim in claims(text)}


def test_a_relation_with_a_name_is_known_by_both():
    found = {c.subject for c in claims("My wife Ana works at Fernhill") if c.family == "employer"}
    assert found == {"wife", "ana"}


def test_a_qualifier_keeps_slots_apart():
    assert not changes("The grant deadline is May 3", "The thesis deadline is June 1")
    assert changes("The grant deadline is May 3", "The grant deadline is June 1")


def test_what_is_hypothetical_stays_so_to_the_end_of_the_sentence():
    text = "If we win, I move to Ghent and I work at Bosch"
    assert {c.status for c in claims(text)} <= {"hypothetical"}


def test_an_offer_of_several_sentences_is_read_one_by_one():
    found = {c.family for c in claims("I live in Porto. Do you like it? I bank with Citi.")}
    assert found == {"home", "bank"}


def test_kinds_of():
    assert kinds_of("Pixel") == {"phone"}
    assert "drink" in kinds_of("oat milk")
    assert kinds_of("nothing of the kind") == set()


SAMPLES = {
    "place": "Zugdorf", "brand": "Zugdorf", "person": "Zug", "number": "42", "digits": "555 0101",
    "version": "4.2", "time": "9:15", "email": "zug@post.example", "phrase": "old maps",
}  # fmt: skip


def sentences_with(cue, sample):
    """Statements built from a cue of the table."""
    for subject, gap in itertools.product(
        ("I", "The gateway", "Mia"), (sample, "it", "the old one")
    ):
        yield f"{subject} {cue.replace('_', gap)} {sample}"
        yield f"{subject} {cue.replace('_', gap)}"
    yield f"{sample} {cue}"


def cues():
    for row in vividmem.joined_rows("\n".join((vividmem.LIFE, vividmem.PASTIMES, vividmem.WORK))):
        name, _, verbs, *_ = (cell.strip() for cell in row.split("|"))
        for verb in filter(None, (verb.strip() for verb in verbs.split(","))):
            yield name, verb


def test_a_statement_built_from_a_cue_is_read_as_its_family():
    unread = []
    for family, verb in cues():
        frame = frames_of().rows[family]
        tried = [SAMPLES.get(frame.type, ""), *frame.values[:40:8], *frame.values[-1:]]
        texts = (t for value in tried if value for t in sentences_with(verb.lstrip("+-=*"), value))
        if not any(family in {c.family for c in claims(text)} for text in texts):
            unread.append((family, verb))
    assert unread == []


def test_a_row_of_the_user_is_read_and_asked_for():
    own = frames_of("tea_shop | one brand | buy my tea at | tea shop | where buy tea | Mlesna")
    assert [c.value for c in claims("I buy my tea at Mlesna", frames=own)] == ["Mlesna"]
    assert asked("where do I buy my tea?", frames=own)[0].family == "tea_shop"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("tea | one brand | buy at", "cells"),
        ("Tea shop | one brand | buy at | shop | where buy |", "lower-case"),
        ("tea | some brand | buy at | shop | where buy |", "one"),
        ("tea | one flavour | buy at | shop | where buy |", "brand"),
        ("tea | one brand | buy at | shop | where buy | = coffee", "coffee"),
    ],
)
def test_a_bad_row_is_refused_with_the_reason(row, message):
    with pytest.raises(ConfigError, match=message):
        frames_of(row)


@pytest.mark.parametrize("mark", ["\u0640"])
def test_a_mark_that_folds_to_nothing_is_no_word(mark):
    assert values(f"I live in Porto {mark} {mark}now", "home") == ["Porto"]
    assert claims(mark) == ()


@pytest.mark.parametrize("name", ["\ufb03", "Mi\ufb03", "\ufdfa"])
def test_a_word_that_folding_makes_longer_is_read_once(name):
    assert claims(f"{name}'s bank is Citi. I bank with Chase.")[-1].value == "Chase"


@given(st.text(max_size=200))
def test_any_text_can_be_read(text):
    for claim in claims(text):
        assert claim.family in frames_of().rows or claim.family == "open"
    asked(text)
    fits_known(text, claims("I live in Porto. I drive a Honda. The api is down."))
    is_small_talk(text)


@given(
    st.lists(
        st.sampled_from(
            "I my the is moved to Ghent not from , . Honda now if and on 9:15 's".split()
        )
    )
)
def test_any_words_can_be_read(said):
    text = " ".join(said)
    known = claims("I live in Porto. My rent is 900. Mia owns the api.")
    for new in (*claims(text), *fits_known(text, known)):
        assert all(isinstance(field, (str, int, float, tuple)) for field in new)
        for old in known:
            assert updates(new, old) in ("same", "replaces", "ends", "adds", "conflicts", "nothing")


# --- whose statement it is -----------------------------------------------------------------------

# What is known | a text of somebody else, whom it names or not | subject, family, value of theirs.
OF_OTHERS = r"""
I live in Leeds | Lunch with Mia! She just moved to Ghent. | mia home Ghent
I work at Siemens | Tom had news. He works at Bosch now | tom employer Bosch
My birthday is May 3 | Mia called. Her birthday is June 1. | mia birthday June 1
My wife is called Nina | Had a beer with Tom. His wife is called Olga. |
I'm single | Mia told me everything. She's engaged! |
My name is Dana. | Please help me write to Leo's teacher. Her name is Mrs. Quill. |
I'm from Leeds | The teacher, Bev, was lovely. She's from Cornwall and has three dogs. | bev origin Cornwall
I'm a nurse | The owner of the other dog, Jim, is a pilot | jim title pilot
I live in Leeds | My brother visited, he lives in Oslo now | brother home Oslo
I'm allergic to nuts | I read about a man who lives in Alaska. He's allergic to bees |
I'm 41 | she's 39 |
I live in Leeds | Bumped into Bob at the market. He lives in Hull these days. | bob home Hull
My name is Dana | Met a guy at the gym. His name is Kurt. |
I'm vegan | My mum came round. She's vegetarian now. | mother diet vegetarian
I bank with Chase | Met up with Raj. He banks with Citi now. | raj bank Citi
I speak Dutch | Noor and Sami visited. They speak Finnish. |
My favourite colour is blue | Wrote to Lena. Her favourite colour is green. | lena open green
I live in Leeds ; I work at Bosch | Mia quit her job and moved to Ghent | mia home Ghent
I drive a Golf | Noah passed his test and bought a Corsa | noah car Corsa
I drive a Golf | Dan got a raise and bought himself a Tesla | dan car Tesla
I live in Leeds | we split up, Rob moved out |
I live in Leeds | the kids moved out |
I live in Leeds | as for Lea, moved to Oslo | lea home Oslo
I'm vegan | Bea read a book and went vegetarian | bea diet vegetarian
I work at Bosch | Omar resigned, moved to Faro and joined Siemens | omar employer Siemens
I play tennis | Dad retired and took up golf | father sport golf
I live in Leeds | Fwd from Paolo:\nHi all,\nI moved to Rome last month. Best, Paolo | paolo home Rome
I live in Leeds | > I live in Rome now |
I live in Leeds | Paolo wrote: hey, I moved to Rome | paolo home Rome
I live in Leeds | From: Paolo Rossi <p@post.example>\nSubject: news\n\nI moved to Rome | paolo rossi home Rome
I live in Leeds | On 3 May Kim wrote:\n> we moved to Bath\n> it's small | kim home Bath
I live in Leeds | [10:02] Tom: I moved to Ulm\n[10:03] me: nice | tom home Ulm
I live in Leeds | Sam: I live in Hull\nMe: cool\nSam: great, eh | sam home Hull
I serve Lord Orlo | Kael: I serve Lord Varn. |
I'm single | Tara said to me: I'm engaged! | tara marital engaged
I live in Leeds | Mum just texted: I moved into the new flat |
My name is Dana ; I live in Leeds | Translate to German please: My name is Kurt and I live in Ulm. |
I work at Siemens | Got this from a recruiter: "I work at Bosch" |
I'm vegan | Nina said "I'm vegetarian now" | nina diet vegetarian
I live in Leeds | "I moved to Ghent," said Mia. | mia home Ghent
I live in Leeds | Slack from Hugo: I moved to Porto, see you there | hugo home Porto
I live in Leeds | Ana (10:02): I moved to Porto | ana home Porto
I live in Leeds | I got this letter:\n\nDear Dana,\nI live in Bath now.\nYours, Kim |
I'm vegan | Review on the web: "I am a vegetarian and I loved it" |
I'm a nurse | the guy who fixed my bike is a pilot |
I live in Leeds | Grandpa fell, broke his hip and moved in with my aunt |
Lena is 38. | My wife Lena works from home. We have twins, they are six. |
My boss Erik lives in Lund. | Had a drink with Erik. His wife moved to Oslo for the job. | erik>wife home Oslo
Ana lives in Porto | Ana's brother came over. He lives in Faro. | ana>brother home Faro
Tom works at Bosch | Tom brought his sister. She works at Siemens. | tom>sister employer Siemens
"""
# What is known | a text that does tell of the same person | whose claim it makes.
OF_THE_SAME = r"""
I live in Leeds | Lunch with Mia! I just moved to Ghent. | - home Ghent
I work at Siemens | Tom had news. I work at Bosch now | - employer Bosch
Mia lives in Leeds | Lunch with Mia! She just moved to Ghent. | mia home Ghent
my brother lives in Hull | my brother visited, he lives in Oslo now | brother home Oslo
I live in Leeds | Mia helped me pack and I moved to Ghent | - home Ghent
I live in Leeds | We packed up and moved to Ghent | - home Ghent
I drive a Golf | Passed my test and bought a Corsa | - car Corsa
I live in Leeds | Long week. Moved to Ghent. | - home Ghent
I live in Leeds | [10:02] Tom: how are you?\n[10:03] me: I moved to Ulm | - home Ulm
I live in Leeds | Big news: I moved to Ghent! | - home Ghent
I live in Leeds | Location: I live in Hull now | - home Hull
I live in Leeds | Good news from me: I moved to Hull | - home Hull
I live in Leeds | > hello\nI moved to Hull | - home Hull
I work at Siemens | Work: I joined Bosch | - employer Bosch
I'm vegan | Sven cooked. I'm vegetarian now. | - diet vegetarian
"""
# Who speaks or is spoken of: speaker= or entity= | what is known | a text | whose claim it makes.
OF_THE_NAMED = r"""
entity=Alex | I live in Leeds | He moved to Ghent last week. | alex home Ghent
entity=Alex | I work at Siemens | Wow, he works at Bosch now. | alex employer Bosch
entity=Alex | I work at Siemens | Had a chat with Alex. He works at Bosch now. | alex employer Bosch
speaker=Kael | I live in Dun | *He grins.* "I moved to Orm last week." | kael home Orm
speaker=Kael | I live in Dun | "I moved to Orm," he says quietly. | kael home Orm
speaker=Kael | I live in Dun | "My home is gone," Kael mutters. "I live in Orm now." | kael home Orm
speaker=Kael | I live in Dun | *Kael looks up. He lives in Orm now.* | kael home Orm
speaker=Kael | I live in Dun | Kael: I moved to Orm | kael home Orm
"""


def _of_whom(rows):
    return [[cell.strip() for cell in row.split("|")] for row in rows.strip().splitlines()]


def _told(known, text, clock, **who):
    """Return which of the *known* are over after *text*, what that claims, and the slots known."""
    mem = VividMem(clock=clock)
    before = []
    for one in known.split(" ; "):
        before.append(mem.observe(one, **who).memory.id)
        clock.days(1)
    decision = mem.observe(text.replace("\\n", "\n"), **who)
    of_before = {memory.id: memory for memory in mem.memories() if memory.id in before}
    over = [
        memory.text
        for memory in of_before.values()
        if not memory.current or any(claim.status == "ended" for claim in memory.claims)
    ]
    said = decision.memory.claims if decision.memory else ()
    firm = [one for one in said if one.strength >= 0.5 and one.status == "current"]
    slots = {f"{c.subject or '-'} {c.family} " for m in of_before.values() for c in m.claims}
    return over, {f"{one.subject or '-'} {one.family} {one.value}" for one in firm}, slots


@pytest.mark.parametrize(("known", "text", "theirs"), _of_whom(OF_OTHERS))
def test_what_is_told_of_somebody_else_is_theirs_and_ends_nothing_of_the_users(
    clock, known, text, theirs
):
    over, claimed, slots = _told(known, text, clock)
    assert over == []
    assert not [one for one in claimed if one.startswith(tuple(slots))]
    assert not theirs or theirs in claimed


@pytest.mark.parametrize(("known", "text", "whose"), _of_whom(OF_THE_SAME))
def test_what_is_told_of_the_same_person_beside_others_replaces(clock, known, text, whose):
    over, claimed, _ = _told(known, text, clock)
    assert over == [known]
    assert whose in claimed


@pytest.mark.parametrize(("who", "known", "text", "whose"), _of_whom(OF_THE_NAMED))
def test_he_and_own_words_in_quotation_marks_are_of_the_one_who_is_named(
    clock, who, known, text, whose
):
    over, claimed, _ = _told(known, text, clock, **dict([who.split("=")]))
    assert over == [known]
    assert whose in claimed


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        ("*Kael points at Mira. She is from Eldmoor.*", "mira origin Eldmoor"),
        ('Mira: "I am from Eldmoor"', "mira origin Eldmoor"),
        ('"I am from Eldmoor," Mira whispers to Kael.', "mira origin Eldmoor"),
        ("*Kael talks to the merchant, who is from Eldmoor*", ""),
    ],
)
def test_narration_of_others_is_not_the_speakers(clock, text, whose):
    over, claimed, _ = _told("I'm from Dun", text, clock, speaker="Kael")
    assert over == []
    assert not any(one.startswith("kael origin") for one in claimed)
    assert not whose or whose in claimed


def test_the_name_of_a_relation_is_no_place_it_lives_in():
    said = {
        (one.subject, one.family, one.value) for one in claims("My sister Priya lives in Toronto")
    }
    assert ("", "siblings", "Toronto") not in said
    assert {("", "siblings", "Priya"), ("sister", "home", "Toronto")} <= said


# Introductions in small letters.

SMALL = [
    ("im renata, 37, living in graz with my partner joel and our two kids luca and mila",
     {"name": "Renata", "age": "37", "home": "Graz", "partner": "Joel", "children": "Luca"}),
    ("hi im tom, 29, from leeds", {"name": "Tom", "age": "29", "origin": "Leeds"}),
    ("i'm tom and i'm 29", {"name": "Tom", "age": "29"}),
    ("im tom", {"name": "Tom"}),
    ("so im 31 now lol", {"age": "31"}),
    ("i am ana from porto", {"name": "Ana", "origin": "Porto"}),
    ("im from gdansk but live in oslo", {"origin": "Gdansk", "home": "Oslo"}),
    ("hi, im priya :) im a nurse in leeds", {"name": "Priya"}),
    ("my name's tariq btw", {"name": "Tariq"}),
    ("im called tuomas", {"name": "Tuomas"}),
    ("my boyfriend is called mateo", {"partner": "Mateo"}),
    ("my kids are luca and mila", {"children": "Luca"}),
]  # fmt: skip
NO_NAMES = """im tired, im home, im done, hi im bored, hey im lost, im peckish, im sober 60 days, im ok,
im single, im vegan, im british, im retired, im over it, im up, call me later, call me maybe,
my brother called, my mum fell yesterday, my wife loves pizza, my son plays football, im sure,
my boss is mean, my kids are tired, dinner is ready, work was awful, my partner and i split up"""


@pytest.mark.parametrize(("text", "told"), SMALL)
def test_an_introduction_is_read_in_small_letters(text, told):
    found = {(c.family, c.value) for c in claims(text) if not c.subject and c.strength > 0.4}
    assert set(told.items()) <= found


@pytest.mark.parametrize("text", NO_NAMES.replace("\n", " ").split(", "))
def test_states_in_small_letters_are_no_names(text):
    named = ("name", "partner", "children", "siblings", "parents", "manager")
    assert not [c for c in claims(text) if c.family in named and c.value]


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("joel is a sound engineer", ("joel", "title", "sound engineer")),
        ("my brother emil is 33 and lives in hamburg", ("emil", "age", "33")),
        ("my brother emil is 33 and lives in hamburg", ("emil", "home", "Hamburg")),
        ("my sister nadia works at bosch", ("nadia", "employer", "Bosch")),
        ("my boss ingrid moved to lund", ("ingrid", "home", "Lund")),
    ],
)
def test_people_named_in_small_letters_are_told_of(text, claim):
    assert claim in {(c.subject, c.family, c.value) for c in claims(text)}


ON_CALL = """
Priya is on call | Priya
oncall: Gitte | Gitte
Oncall is Tomasz | Tomasz
Lea is oncall this week | Lea
kestrel on-call: Farid | Farid
Tomasz has the pager | Tomasz
handed the pager to Kwame | Kwame
Oncall handover: Lea -> Rui | Rui
"""
WHO_IS_ON_CALL = (
    "who is on call?", "who's oncall this week?", "who has the pager?", "who's on-call right now?",
)  # fmt: skip


@pytest.mark.parametrize(("text", "name"), pairs(ON_CALL))
@pytest.mark.parametrize("question", WHO_IS_ON_CALL)
def test_who_is_on_call_is_found_in_each_spelling(text, name, question):
    mem = VividMem(clock=lambda: 1_770_000_000.0)
    for told in ("Ana called Bo yesterday", "API calls are limited", text, "the call is at 10"):
        mem.observe(told)
    first = mem.resonate(question, limit=1)[0]
    assert (first.text, first.certainty) == (text, "certain")
    assert name in values(text, "oncall")


@pytest.mark.parametrize(
    "text",
    [
        "Ana called this morning",
        "API calls are rate limited",
        "I'm on a call until 3",
        "Rui is on the phone",
        "the pager app is at pager.example/corp",
    ],
)
def test_a_call_is_no_duty(text):
    assert not [claim for claim in claims(text) if claim.family == "oncall" and claim.value]


@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("all services are on k8s now", "medication"),
        ("billing is on EKS", "medication"),
        ("Ana is on leave", "medication"),
        ("partner Acme delivers CSV via SFTP", "partner"),
        ("new partner: Dyne, parquet, daily 05:30", "partner"),
        ("we're dropping Bolt as a partner", "partner"),
        ("Rui is on parental leave", "employer"),
        ("I'm doing the shopping for them on saturdays", "deadline"),
        ("Carla and Hendrik are moving in together in january", "deadline"),
    ],
)
def test_words_of_a_trade_or_of_doing_fill_no_slot_of_life(text, family):
    strong = [c for c in claims(text) if c.strength >= vividmem.TOO_WEAK]
    assert family not in [claim.family for claim in strong]


def test_a_number_of_guests_is_no_date():
    assert values("Opening party is october 3 from 4 pm, 60 guests", "deadline") == ["october 3"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("ADR-9 (draft): move search to OpenSearch", ()),
        ("assume I live in Berlin", ()),
        ("backlog: rewrite the frontend in Svelte", ()),
        ("ADR-9: we chose OpenSearch for search", ("OpenSearch",)),
        ("CORE-412 is done: billing runs on Heroku", ("Heroku",)),
        ("There was a ticket to move CI to Buildkite, it is done: CI is Buildkite", ("Buildkite",)),
    ],
)
def test_only_what_is_done_of_a_proposal_is_so_now(text, told):
    now = [c.value for c in claims(text) if c.status == "current" and c.strength >= 0.5]
    assert set(told) <= set(now) and (told or not now)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("The desk came, Ana was happy.", "Ana"),
        ("They lost our account, Kofi knew somebody there.", "Kofi"),
        ("My gym closed, Bo cried a little.", "Bo"),
        ("The bank is shut. Priya took the tram back.", "Priya"),
    ],
)
def test_who_did_something_fills_no_slot_that_the_clause_before_names(text, value):
    assert value not in {claim.value for claim in claims(text) if claim.strength > 0.3}


@pytest.mark.parametrize(
    ("text", "family", "value"),
    [
        ("I left Citi. Lloyds has my account now.", "bank", "Lloyds"),
        ("I left Acme, Globex hired me.", "employer", "Globex"),
        ("Changed insurance: Allianz took me.", "insurance", "Allianz"),
        ("my laptop died, ThinkPad now", "laptop", "ThinkPad"),
        ("I quit my gym, FitLab it is now.", "gym", "FitLab"),
    ],
)
def test_a_bare_value_fills_the_slot_that_the_clause_before_names(text, family, value):
    assert (family, value) in {(claim.family, claim.value) for claim in claims(text)}
